import { useMutation } from "@tanstack/react-query"
import { isOutdated } from "../api/Failure.ts"
import type { BodyOf } from "../api/Endpoints.ts"
import type { Cohort, useCohortWrites } from "./CohortQueries.ts"

type Written = BodyOf<"cohorts.update">

interface Asked {
  readonly body: Written
  /** When the cohort was changed last before what is saved here was begun; null writes over whatever is there. */
  readonly basedOn: string | null
}

/** Saves a cohort. What somebody else has made of it since it was opened is not written over before it is said whose change stands. */
export const useSave = (
  { create, update }: ReturnType<typeof useCohortWrites>,
  cohort: Cohort | null,
  done: (saved: Cohort) => void
) => {
  const save = useMutation({
    mutationFn: ({ body, basedOn }: Asked): Promise<Cohort> =>
      cohort === null
        ? create.mutateAsync(body.kind === "static" ? { ...body, unitIds: body.unitIds ?? [] } : body)
        : update.mutateAsync({ id: cohort.id, body: basedOn === null ? body : { ...body, basedOn } }),
    onSuccess: done
  })
  const refused = isOutdated(save.error)
  return {
    save: save.mutate,
    saveOverTheirs: () => save.variables !== undefined && save.mutate({ ...save.variables, basedOn: null }),
    isOutdated: refused,
    isPending: save.isPending,
    error: refused ? null : save.error
  } as const
}
