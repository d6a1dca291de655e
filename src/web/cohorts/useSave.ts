import { useMutation } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { BodyOf } from "../api/Endpoints.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import type { Cohort, useCohortWrites } from "./CohortQueries.ts"

type Written = BodyOf<"cohorts.update">

class Outdated extends Error {}

/**
 * Saves a cohort. The API overwrites whatever is there, so that a change of somebody else since this page was opened is looked for before.
 */
export const useSave = (
  where: Where,
  { create, update }: ReturnType<typeof useCohortWrites>,
  cohort: Cohort | null,
  /** When the cohort was changed last before what is saved here was begun. */
  basedOn: string | null,
  done: (saved: Cohort) => void
) => {
  const [known, setKnown] = useState(basedOn)
  const last = useRef<Written | null>(null)
  const save = useMutation({
    mutationFn: async (body: Written): Promise<Cohort> => {
      last.current = body
      if (cohort === null) {
        return create.mutateAsync(body.kind === "static" ? { ...body, unitIds: body.unitIds ?? [] } : body)
      }
      const path = { applicationId: where.applicationId, cohortId: cohort.id }
      const present = await call("cohorts.get", { ...place(where), path })
      if (known !== null && present.updatedAt !== known) return Promise.reject(new Outdated(present.updatedAt))
      return update.mutateAsync({ id: cohort.id, body })
    },
    onSuccess: done
  })
  const isOutdated = save.error instanceof Outdated
  const overwrite = () => {
    setKnown(null)
    const body = last.current
    const id = cohort?.id
    if (body !== null && id !== undefined) update.mutate({ id, body }, { onSuccess: done })
  }
  return {
    save: save.mutate,
    overwrite,
    isOutdated,
    isPending: save.isPending || update.isPending,
    error: isOutdated ? update.error : save.error
  } as const
}
