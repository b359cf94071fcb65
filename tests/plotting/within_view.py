"""What matplotlib keeps but does not draw: tick labels beyond the ends of an axis."""


def hide_ticks_out_of_view(figure):
    """Hide the labels of ticks that lie outside their axis; return the figure."""
    figure.canvas.draw()
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            tick.label1.set_visible(bool(low <= tick.get_loc() <= high))
    return figure
