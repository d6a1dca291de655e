import { useParams } from "wouter"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { useWhere } from "../shell/Project.tsx"
import { CohortForm } from "./CohortForm.tsx"
import { useCohort } from "./CohortQueries.ts"

const Edited = ({ id }: { readonly id: number }) => {
  const cohort = useCohort(useWhere(), id)
  // What is being edited is what was there when it was opened: a later answer does not take its place.
  if (cohort.data !== undefined) return <CohortForm key={id} cohort={cohort.data} />
  return <UnansweredPage error={cohort.error} retry={() => void cohort.refetch()} />
}

/** Makes a cohort, or changes the one of the address. */
export const CohortEditor = () => {
  const { cohortId } = useParams<{ readonly cohortId?: string }>()
  return cohortId === undefined ? <CohortForm key="new" cohort={null} /> : <Edited id={Number(cohortId)} />
}
