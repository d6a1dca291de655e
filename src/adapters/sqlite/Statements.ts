/** What changes nothing by itself: reads, and the bounds of a transaction, whose changes are looked at one by one. */
export const changesNothing = /^\s*(?:select|pragma|begin|commit|rollback|release|savepoint)\b/i
