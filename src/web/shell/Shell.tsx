import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { Link, useLocation } from "wouter"
import { useOrganizations } from "../api/queries.ts"
import { Icon, Mark } from "../ui/Icon.tsx"
import { Accounts } from "./Accounts.tsx"
import { Overlays } from "./Overlays.tsx"
import { loadPage } from "./PageChunks.ts"
import { Lost } from "./Lost.tsx"
import { nameOf, pages } from "./PageList.ts"
import { useProject } from "./Project.tsx"

/** Leads to the same page of another project or environment. */
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
          onChange={(event) => navigate(`/p/${applicationId}/${event.target.value}/${page}`)}
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
  const { applicationId, environment } = useProject()
  return (
    <nav aria-label="Pages">
      {pages.map(({ group, items }) => (
        <section key={group}>
          {group !== "" && <h2>{group}</h2>}
          {items.map(([path, icon, name]) => (
            <Link
              key={path}
              href={`/p/${applicationId}/${environment.alias}/${path}`}
              aria-current={path === page ? "page" : undefined}
              onPointerEnter={() => void loadPage(path)}
              onFocus={() => void loadPage(path)}
            >
              <Icon name={icon} />
              {name}
            </Link>
          ))}
        </section>
      ))}
      <section>
        <a href="/docs" target="_blank" rel="noreferrer">
          <Icon name="book" />
          HTTP API
        </a>
      </section>
    </nav>
  )
}

/** What surrounds every page of a project. Everywhere but in production the rail is tinted, so that nobody mistakes one for the other. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const { name, environment } = useProject()
  const [path] = useLocation()
  // The rail of a small screen closes by itself when another page is opened.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === path
  const page = path.split("/")[4] ?? ""
  const isProduction = environment.alias === "production"
  useEffect(() => {
    document.title = isProduction ? `${nameOf(page)} · ${name}` : `${nameOf(page)} · ${name} (${environment.name})`
  }, [environment.name, isProduction, name, page])
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
      <main id="content" className="content" tabIndex={-1}>
        <Lost />
        {children}
      </main>
    </div>
  )
}
