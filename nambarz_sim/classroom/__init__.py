"""Things to print for a class, each as a PDF file with a plain-text version beside it."""
