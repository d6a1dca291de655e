import type Database from "better-sqlite3"

// Frozen: files of format 5 exist, so what this step makes must never change. Any change of the format is a new step.

/**
 * Brings a file of format 4 to format 5, in which segments may have an index of times, and integers may lie in separate
 * byte planes. Nothing that is stored changes: a build of format 4 could not read what is written from now on.
 */
export const toFormat5 = (_db: Database.Database): void => undefined
