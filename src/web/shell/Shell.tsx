import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { Link, useLocation } from "wouter"
import type { Permission } from "../../domain/access/Permission.ts"
import { useOrganizations } from "../api/queries.ts"
import { deniedText } from "../text/Denied.ts"
import { isOfQuestions } from "../saved/Kind.ts"
import { Icon, Mark } from "../ui/Icon.tsx"
import { Empty } from "../ui/States.tsx"
import { Accounts } from "./Accounts.tsx"
import { InsteadOfPage } from "./InsteadOfPage.tsx"
import { Overlays } from "./Overlays.tsx"
import { loadPage } from "./PageChunks.ts"
import { Lost } from "./Lost.tsx"
import { nameOf, pages } from "./PageList.ts"
import { lackedBy } from "./PageNeeds.ts"
import { useProject } from "./Project.tsx"

/** What another environment is asked as well: a question, whose saved form is the project's. Other addresses name what one environment has. */
const questionOf = (page: string): string => (isOfQuestions(page) ? window.location.search : "")

/** Leads to the same page of another project or environment, a question to the same question in another environment. */
const Switchers = ({ page }: { readonly page: string }) => {
  const { applicationId, environment, environments } = useProject()
  const organizations = useOrganizations()
  const [, navigate] = useLocation()
  return (
    <div className="switchers">
      <select
        aria-label="Project"
        value={applicationId}
        onChange={(event) => navigate(`/p/${event.target.value}/production/${page}`)}
      >
        {organizations.data?.map(({ id, name, applications }) => (
          <optgroup key={id} label={name}>
            {applications.map((application) => (
              <option key={application.id} value={application.id}>
                {application.name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <div className="environment">
        <i className="environment-dot" />
        <select
          aria-label="Environment"
          value={environment.alias}
          onChange={(event) => navigate(`/p/${applicationId}/${event.target.value}/${page}${questionOf(page)}`)}
        >
          {environments.map(({ id, alias, name }) => (
            <option key={id} value={alias}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

const Navigation = ({ page }: { readonly page: string }) => {
  const { applicationId, environment, may } = useProject()
  return (
    <nav aria-label="Pages">
      {pages.map(({ group, items }) => (
        <section key={group}>
          {group !== "" && <h2>{group}</h2>}
          {items.map(([path, icon, name]) => {
            const isDenied = lackedBy(path, may).length > 0
            return (
              <Link
                key={path}
                href={`/p/${applicationId}/${environment.alias}/${path}`}
                aria-current={path === page ? "page" : undefined}
                onPointerEnter={() => void loadPage(path)}
                onFocus={() => void loadPage(path)}
              >
                <Icon name={icon} />
                {name}
                {isDenied && (
                  <span className="rail-denied">
                    <Icon name="lock" size={12} />
                    <span className="unseen"> (your role may not see it)</span>
                  </span>
                )}
              </Link>
            )
          })}
        </section>
      ))}
      <section>
        <a href="/docs/guide/" target="_blank" rel="noreferrer">
          <Icon name="book" />
          Guide
        </a>
        <a href="/docs" target="_blank" rel="noreferrer">
          <Icon name="book" />
          HTTP API
        </a>
      </section>
    </nav>
  )
}

/** Stands in place of a page that this person may not see. */
const Denied = ({ page, lacked }: { readonly page: string; readonly lacked: ReadonlyArray<Permission> }) => (
  <InsteadOfPage title={page}>
    <Empty title="Your role may not see this page">{deniedText(...lacked)}</Empty>
  </InsteadOfPage>
)

/** Keeps the focus from getting lost, and follows this person's rights, as long as the element is there. Nobody needs that before the page is drawn. */
const keeper = (main: HTMLElement | null) => {
  if (main === null) return undefined
  let end: (() => void) | null = null
  let isGone = false
  import("./Keepers.ts").then(
    ({ keepUp }) => {
      if (!isGone) end = keepUp(main)
    },
    () => undefined
  )
  return () => {
    isGone = true
    end?.()
  }
}

/** What surrounds every page of a project. Everywhere but in production the rail is tinted, so that nobody mistakes one for the other. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const { name, environment, may } = useProject()
  const [path] = useLocation()
  // The rail of a small screen closes by itself when another page is opened.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === path
  const [page = "", within = ""] = path.split("/").slice(4)
  const title = nameOf(`${page}/${within}`)
  const lacked = lackedBy(page, may)
  const isProduction = environment.alias === "production"
  useEffect(() => {
    document.title = isProduction ? `${title} · ${name}` : `${title} · ${name} (${environment.name})`
  }, [environment.name, isProduction, name, title])
  return (
    <div className={isProduction ? "shell" : "shell shell-other"}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <div className="bar">
        <button
          type="button"
          className="button button-icon"
          aria-expanded={isOpen}
          aria-controls="rail"
          aria-label="Menu"
          onClick={() => setOpenAt(isOpen ? null : path)}
        >
          <Icon name={isOpen ? "cross" : "menu"} />
        </button>
        <Mark />
        <b>{name}</b>
        <span className="bar-environment">
          <i className="environment-dot" />
          {environment.name}
        </span>
      </div>
      <aside id="rail" className={isOpen ? "rail rail-open" : "rail"} aria-label="Project">
        <div className="brand">
          <Mark />
          <b>Gamekeeper</b>
        </div>
        <Switchers page={page} />
        <Overlays />
        <Navigation page={page} />
        <footer>
          <Accounts />
        </footer>
      </aside>
      <main id="content" className="content" tabIndex={-1} ref={keeper}>
        <Lost />
        {lacked.length === 0 ? children : <Denied page={title} lacked={lacked} />}
      </main>
    </div>
  )
}
