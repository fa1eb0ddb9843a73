"""Results as files that open by themselves."""
