/** A command that cannot be run as it was given, in a sentence for whoever gave it: not a fault of ours. */
export class UsageError extends Error {}
