import type { ReactNode } from "react"
import { Link } from "wouter"
import { Empty } from "../ui/States.tsx"
import { InsteadOfPage } from "./InsteadOfPage.tsx"
import { useProject } from "./Project.tsx"

interface Props {
  readonly title: string
  /** What the page would be one of: the list of all is a link away. */
  readonly list: "boards" | "cohorts" | "experiments"
  readonly children: ReactNode
}

/** Stands in place of the page of something that is not there. */
export const MissingPage = ({ title, list, children }: Props) => {
  const { applicationId, environment } = useProject()
  return (
    <InsteadOfPage>
      <Empty
        title={title}
        action={
          <Link className="button" href={`/p/${applicationId}/${environment.alias}/${list}`}>
            All {list}
          </Link>
        }
      >
        {children}
      </Empty>
    </InsteadOfPage>
  )
}
