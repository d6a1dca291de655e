/** Milliseconds of an hour and of a day. Days of a calendar may be longer or shorter: `Calendar` counts those. */
export const hourMillis = 3_600_000
export const dayMillis = 24 * hourMillis
