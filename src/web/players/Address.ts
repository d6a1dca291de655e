/** Project and environment of an address. */
interface Place {
  readonly applicationId: number
  readonly environment: { readonly alias: string }
}

export const playersAddress = ({ applicationId, environment }: Place): string =>
  `/p/${applicationId}/${environment.alias}/players`

/** The page of one player. */
export const playerAddress = (place: Place, unitId: string): string =>
  `${playersAddress(place)}/${encodeURIComponent(unitId)}`

/** The player that the address names. Read from the browser, because the router decodes a part of what ids may hold. */
export const playerOfAddress = (pathname: string): string => {
  const text = pathname.split("/")[5] ?? ""
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
