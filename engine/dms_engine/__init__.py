"""Hands the steps of the Dataset Media Service to the nodes of a Ray cluster. Every algorithm is in the service's own code."""
