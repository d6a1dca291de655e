interface CountedDay {
  readonly markers: number
  /** Whether retention has reached into the day, so that a file that was written before may hold more. */
  readonly isCut: boolean
}

/**
 * Whether the file of a day that an export wrote with `written` markers (undefined: there is none) stays as it is. Retention takes a day away bit
 * by bit: what is left of it may not replace a file of the whole day.
 */
export const isFileKept = (written: number | undefined, { markers, isCut }: CountedDay): boolean =>
  written !== undefined && (written === markers || isCut)
