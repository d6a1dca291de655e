import type { WeekStart } from "../domain/Calendar.ts"

/** The days on which weeks may begin, as they are written, and their numbers. */
export const weekDays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const
export const weekStarts: Readonly<Record<(typeof weekDays)[number], WeekStart>> = {
  sunday: 0,
  monday: 1,
  tuesday: 2,
  wednesday: 3,
  thursday: 4,
  friday: 5,
  saturday: 6
}
