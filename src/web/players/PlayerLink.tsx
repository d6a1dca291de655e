import type { ReactNode } from "react"
import { Link } from "wouter"
import { isPathSegment } from "../../domain/PathSegment.ts"
import { useProject } from "../shell/Project.tsx"
import { playerAddress } from "./Address.ts"

interface Props {
  readonly unitId: string
  readonly title?: string
  readonly className?: string
  /** What the link shows; the id by itself where it is left out. */
  readonly children?: ReactNode
}

/** The way to the page of a player. A few ids cannot stand in an address, and then it says so. */
export const PlayerLink = ({ unitId, children = unitId, ...shown }: Props) => {
  const project = useProject()
  if (!isPathSegment(unitId)) {
    return (
      <span>
        {unitId} <small className="faint">has no page: no address can hold this id</small>
      </span>
    )
  }
  return (
    <Link {...shown} href={playerAddress(project, unitId)}>
      {children}
    </Link>
  )
}
