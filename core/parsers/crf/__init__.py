"""Tree CRFs: log-linear distributions over dependency trees."""
