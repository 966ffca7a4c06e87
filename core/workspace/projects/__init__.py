"""The room of the Projects page: overview and backup."""
