import { useState } from "react"
import { Link, useLocation } from "wouter"
import type { Deeplink } from "../api/deeplinks.ts"
import { useDeeplinks } from "../api/deeplinks.ts"
import { useProject } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { numberText, percentText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { DeeplinkForm } from "./DeeplinkForm.tsx"
import { baseOf, rateOf } from "./DeeplinkWords.ts"
import { listCodec } from "./ListState.ts"

const linksAtOnce = 50

const Row = ({ link, home }: { readonly link: Deeplink; readonly home: string }) => {
  const { timezone } = useProject()
  const rate = rateOf(link)
  return (
    <tr>
      <th scope="row">
        <Link href={`${home}/${link.id}`}>{link.name}</Link>{" "}
        {link.archivedAt !== null && <span className="tag">switched off</span>}
      </th>
      <td>
        <span className="row link-address">
          <code>{link.url}</code>
          <CopyButton text={link.url} />
        </span>
      </td>
      <td className="number">{numberText(link.clicks)}</td>
      <td className="number">{numberText(link.conversions)}</td>
      <td className="number">{rate === null ? "–" : percentText(rate)}</td>
      <td className="faint">{bucketName(link.createdAt, "day", timezone)}</td>
    </tr>
  )
}

/** All links of the project, the most clicked first. */
export const DeeplinkList = () => {
  const { applicationId, environment, timezone, may } = useProject()
  const [, navigate] = useLocation()
  const links = useDeeplinks(applicationId)
  const [{ search, isArchiveShown, page }, change] = useUrlState(listCodec)
  const [isCreating, create] = useState(false)
  const home = `/p/${applicationId}/${environment.alias}/deeplinks`
  const mayWrite = may("deeplinks:write")
  const add = (
    <button
      type="button"
      className="button button-primary"
      disabled={!mayWrite || links.data === undefined}
      title={mayWrite ? undefined : deniedText("deeplinks:write")}
      onClick={() => create(true)}
    >
      <Icon name="plus" size={14} />
      New deeplink
    </button>
  )
  const words = search.trim().toLowerCase()
  const found = (links.data ?? [])
    .filter(({ archivedAt }) => isArchiveShown || archivedAt === null)
    .filter(({ name, slug, redirectUrl }) => `${name} ${slug} ${redirectUrl}`.toLowerCase().includes(words))
    .toSorted((one, other) => other.clicks - one.clicks || one.name.localeCompare(other.name))
  const pages = Math.max(1, Math.ceil(found.length / linksAtOnce))
  const shown = Math.min(page, pages)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Deeplinks</h1>
          <p>Links into the game, and how many of those who follow one arrive.</p>
        </div>
        {add}
      </header>
      <section className="card" aria-label="Deeplinks" aria-busy={links.isFetching}>
        {links.data === undefined ? (
          links.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={links.error} retry={() => void links.refetch()} />
          )
        ) : links.data.length === 0 ? (
          <Empty title="No deeplink yet" action={add}>
            A deeplink counts who clicks it, leads them to the game, and tells which of them came to play. Put one into
            each newsletter, video and poster to see which was worth it.
          </Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField
                label="Search deeplinks"
                value={search}
                onChange={(text) => change((state) => ({ ...state, search: text, page: 1 }), { replace: true })}
              />
              <label className="check">
                <input
                  type="checkbox"
                  checked={isArchiveShown}
                  onChange={({ currentTarget }) =>
                    change((state) => ({ ...state, isArchiveShown: currentTarget.checked, page: 1 }))
                  }
                />
                Those switched off as well
              </label>
            </div>
            {found.length === 0 ? (
              <Empty title="No such deeplink">Try another word, or those that are switched off.</Empty>
            ) : (
              <div className="table-box" role="region" aria-label="List of deeplinks" tabIndex={0}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">Name</th>
                      <th scope="col">Link</th>
                      <th scope="col" className="number">
                        Clicks
                      </th>
                      <th scope="col" className="number">
                        Conversions
                      </th>
                      <th scope="col" className="number">
                        Rate
                      </th>
                      <th scope="col">Created</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.slice((shown - 1) * linksAtOnce, shown * linksAtOnce).map((link) => (
                      <Row key={link.id} link={link} home={home} />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {pages > 1 && (
              <nav className="row" aria-label="Pages of the list">
                <button
                  type="button"
                  className="button button-small"
                  disabled={shown === 1}
                  onClick={() => change((state) => ({ ...state, page: shown - 1 }))}
                >
                  Before
                </button>
                <span>
                  Page {shown} of {pages}
                </span>
                <button
                  type="button"
                  className="button button-small"
                  disabled={shown === pages}
                  onClick={() => change((state) => ({ ...state, page: shown + 1 }))}
                >
                  Next
                </button>
              </nav>
            )}
            <footer className="card-foot">
              <span>Links belong to the whole project; conversions are those of all its environments.</span>
              <span>Times are {timezone}.</span>
            </footer>
          </>
        )}
      </section>
      {isCreating && (
        <DeeplinkForm
          link={null}
          base={baseOf(links.data ?? [])}
          onClose={() => create(false)}
          onSaved={({ id }) => navigate(`${home}/${id}`)}
        />
      )}
    </div>
  )
}
