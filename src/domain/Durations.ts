/** Milliseconds of a minute, an hour and a day. Days of a calendar may be longer or shorter: `Calendar` counts those. */
export const minuteMillis = 60_000
export const hourMillis = 60 * minuteMillis
export const dayMillis = 24 * hourMillis
