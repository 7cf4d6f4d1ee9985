"""Pages as one HTML file each, and their figures as inline SVG."""
