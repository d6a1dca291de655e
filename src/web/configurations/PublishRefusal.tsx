import { useEffect, useMemo } from "react"
import { Link } from "wouter"
import type { Path } from "../../domain/configuration/Document.ts"
import { ApiFailure } from "../api/Failure.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useExperiments } from "./ConfigurationQueries.ts"
import { pathText } from "./Draft.ts"
import { experimentAddress, lockOf, locksOn } from "./Locks.ts"

interface Props {
  readonly error: Error | null
  readonly configurationId: number
  /** Paths that would have changed. */
  readonly paths: ReadonlyArray<Path>
}

/** Why nothing was published. The server names an experiment that stands in the way by its id, and this page by its name. */
export const PublishRefusal = ({ error, configurationId, paths }: Props) => {
  const project = useProject()
  const { data, refetch } = useExperiments(useWhere(), project.may("experiments:read"))
  const locks = useMemo(() => locksOn(data ?? [], configurationId), [configurationId, data])
  const isLocked = error instanceof ApiFailure && error.code === "PATH_LOCKED"
  const path = isLocked ? paths.find((each) => lockOf(locks, each) !== undefined) : undefined
  const lock = path === undefined ? undefined : lockOf(locks, path)
  useEffect(() => {
    // The experiment may have started since they were asked for.
    if (isLocked && project.may("experiments:read")) void refetch()
  }, [isLocked, project, refetch])
  return (
    <p className="form-error" role="alert">
      {path === undefined || lock === undefined ? (
        error?.message
      ) : (
        <>
          The experiment <Link href={experimentAddress(project, lock.experimentId)}>{lock.name}</Link> holds{" "}
          {pathText(path)}, which cannot be changed before it is over.
        </>
      )}
    </p>
  )
}
