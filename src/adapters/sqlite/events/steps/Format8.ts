import type Database from "better-sqlite3"

// Frozen: files of format 8 exist, so what this step makes must never change. Any change of the format is a new step.

/**
 * Brings a file of format 7 to format 8, in which integers may be without those that are 0 or lie in frames, and columns may
 * hold hundredths. Nothing that is stored changes: a build of format 7 could not read what is written from now on.
 */
export const toFormat8 = (_db: Database.Database): void => undefined
