"""Distributes the steps of the Dataset Media Service to the nodes of a Ray cluster. All algorithms are in the code
of the service."""
