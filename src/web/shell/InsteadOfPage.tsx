import type { ReactNode } from "react"
import { useEffect } from "react"
import { useLocation } from "wouter"
import { Failed, Skeleton } from "../ui/States.tsx"
import { nameOf } from "./PageList.ts"

/** Name of the page that the address asks for; that of the product where the address names none. */
const usePageName = (): string => {
  const [path] = useLocation()
  const [page = "", within = ""] = path.split("/").slice(4)
  return nameOf(`${page}/${within}`)
}

interface Props {
  /** Heading of the page; the name that the rail has for it where it is left out. */
  readonly title?: string
  readonly children: ReactNode
}

/** Stands where a page cannot be shown: the page's heading, so that people know where they are, and what is the matter. */
export const InsteadOfPage = ({ title, children }: Props) => {
  const name = usePageName()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title ?? name}</h1>
      </header>
      <section className="card">{children}</section>
    </div>
  )
}

/** What says that a page could not be loaded, under the page's heading. */
export const withinPage = (words: ReactNode) => <InsteadOfPage>{words}</InsteadOfPage>

/** A page while it is waited for: whoever hears the page knows already which one comes. */
export const AwaitedPage = () => (
  <>
    <h1 className="unseen">{usePageName()}</h1>
    <Skeleton />
  </>
)

/** The same, for what is drawn by a function. */
export const awaitedPage = () => <AwaitedPage />

export interface UnansweredProps {
  /** Null while the answer is waited for. */
  readonly error: Error | null
  readonly retry: () => void
}

/** A failed page where there is no rail around it, which otherwise names the window. */
export const InsteadOfAll = ({ children }: { readonly children: ReactNode }) => {
  const name = usePageName()
  useEffect(() => {
    document.title = name === "Gamekeeper" ? name : `${name} · Gamekeeper`
  }, [name])
  return (
    <main className="alone">
      <InsteadOfPage>{children}</InsteadOfPage>
    </main>
  )
}

/** What stands there without a rail while nothing can be shown without an answer, and where there is none. */
export const Unanswered = ({ error, retry }: UnansweredProps) =>
  error === null ? (
    <main className="alone">
      <Skeleton />
    </main>
  ) : (
    <InsteadOfAll>
      <Failed error={error} retry={retry} />
    </InsteadOfAll>
  )
