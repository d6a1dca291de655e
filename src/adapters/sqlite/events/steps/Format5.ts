import type Database from "better-sqlite3"

// Frozen: files of format 5 exist, so what this step makes must never change. A change of the format is a step of its own.

/**
 * Brings a file of format 4 to format 5, in which segments may have an index of times and integers in byte planes of their own. Nothing
 * that is stored changes: only what is written from now on could not be read by a build of format 4.
 */
export const toFormat5 = (_db: Database.Database): void => undefined
