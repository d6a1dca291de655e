import { Option } from "effect"
import { emailKey } from "../domain/access/User.ts"
import { checked } from "./SettingKinds.ts"

/** The e-mail addresses that a list with commas names. */
export const ownersIn = (list: string): ReadonlyArray<string> => list.split(",").map(emailKey).filter(isAddress)

const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** Whether every part of the list is an e-mail address. */
const isOwners = (list: string): boolean =>
  list.trim() === "" || list.split(",").every((part) => isAddress(part.trim()))

export const ownerOption = (initial: string) =>
  checked(
    "owner",
    initial,
    Option.liftPredicate(isOwners),
    "e-mail addresses, separated by commas",
    "E-mail addresses of people who own this server, separated by commas: they make and see backups of all of it"
  )
