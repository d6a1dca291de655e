/** What a driver or the system says of a failure, whatever it throws. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
