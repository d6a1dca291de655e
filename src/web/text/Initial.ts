import { firstCharacters } from "../../domain/Characters.ts"

/** The first letter of a name, which may be an emoji, for where there is no picture. */
export const initialOf = (name: string): string => firstCharacters(name, 1).toUpperCase()
