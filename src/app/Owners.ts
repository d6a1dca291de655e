import { emailKey } from "../domain/access/User.ts"

/** The e-mail addresses that a list with commas names. */
export const ownersIn = (list: string): ReadonlyArray<string> => list.split(",").map(emailKey).filter(isAddress)

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** Whether every part of the list is an e-mail address. */
export const isOwners = (list: string): boolean =>
  list.trim() === "" || list.split(",").every((part) => isAddress(part.trim()))
