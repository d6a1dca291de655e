/** Days from 1970-01-01 to a date of the proleptic Gregorian calendar; month 1..12 (Hinnant, "chrono-compatible low-level date algorithms"). */
export const daysFromCivil = (year: number, month: number, date: number): number => {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + date - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
