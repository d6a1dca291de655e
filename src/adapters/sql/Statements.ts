/** What changes nothing by itself: reads, and the bounds of a transaction, whose changes are looked at one by one. */
export const changesNothing = /^\s*(?:select|with recursive|pragma|begin|commit|rollback|release|savepoint)\b/i

/** What ends a transaction, other than a nested one. */
export const endsTransaction = /^\s*(?:commit|rollback(?!\s+to))\b/i
