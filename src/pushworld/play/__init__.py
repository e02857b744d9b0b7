"""Playing by hand."""
