/** What stands in a field of a form, without blanks around it. */
export const fieldText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.trim() : ""
}
