"""Files that appear whole or not at all, sealed files, and the versions that computed what they hold."""
