import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { BodyOf } from "../api/Endpoints.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"

export type Field = Answer<"markers.arguments">[number]
export type FieldSource = "argument" | "property"

/** Arguments or properties of the markers of one type. */
export const useFieldsOf = (where: Where, source: FieldSource, type: string) =>
  useQuery({
    queryKey: [source === "argument" ? "arguments" : "properties", where, type],
    queryFn: ({ signal }) =>
      call(source === "argument" ? "markers.arguments" : "markers.properties", {
        ...place(where),
        query: { type },
        signal
      })
  })

const most = 20

/** The most frequent values of an argument or property among the markers of one type. */
export const useValuesOf = (where: Where, source: FieldSource, type: string, name: string, isWanted: boolean) =>
  useQuery({
    queryKey: ["values", where, source, name, type],
    queryFn: isWanted
      ? ({ signal }) =>
          call(source === "argument" ? "markers.argumentValues" : "markers.propertyValues", {
            ...place(where),
            query: { name, type, limit: most },
            signal
          })
      : skipToken
  })

/** Describes types and arguments. Lists that show them are asked for again. */
export const useDescribe = (where: Where) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<"markers.setMetadata">) => call("markers.setMetadata", { ...place(where), body }),
    onSuccess: () =>
      Promise.all(["types", "arguments"].map((key) => client.invalidateQueries({ queryKey: [key, where] })))
  })
}
