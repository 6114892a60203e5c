"""Files of weights as arrays by name; none of them can run code."""
