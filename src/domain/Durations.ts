/** Milliseconds of a minute, an hour and a day. Days of a calendar may be longer or shorter: `Calendar` counts those. */
export const minuteMillis = 60_000
export const hourMillis = 60 * minuteMillis
export const dayMillis = 24 * hourMillis

/** Milliseconds of the units in which people give spans of absolute time; a month is 30 days. */
export const unitMillis = {
  second: 1000,
  minute: minuteMillis,
  hour: hourMillis,
  day: dayMillis,
  week: 7 * dayMillis,
  month: 30 * dayMillis
} as const
