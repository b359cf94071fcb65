"""Files and values of strangers: refused with words, or measured; never anything else."""
