import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { Link, useLocation } from "wouter"
import { call } from "../api/client.ts"
import { useAccounts, useMe } from "../api/queries.ts"
import { tell } from "../api/Session.ts"
import { chooseTheme, onTheme, storedTheme } from "../theme/Theme.ts"
import { Icon } from "../ui/Icon.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useMenu } from "../ui/useMenu.ts"

const themes = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"]
] as const

const ThemeChoice = () => {
  const theme = useSyncExternalStore(onTheme, storedTheme)
  return <Segmented label="Theme" value={theme} choices={themes} onChoose={chooseTheme} />
}

/** Who is signed in: the accounts of this browser, the theme, and the way out. */
export const Accounts = () => {
  const { menu } = useMenu()
  const me = useMe()
  const accounts = useAccounts()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const leave = (to: string) => {
    tell("left")
    client.clear()
    navigate(to)
  }
  const signOut = useMutation({ mutationFn: () => call("accounts.signOut", {}), onSuccess: () => leave("/signin") })
  const change = useMutation({
    mutationFn: (handle: string) => call("accounts.switch", { body: { handle } }),
    onSuccess: () => leave("/")
  })
  const others = accounts.data?.accounts.filter(({ status }) => status !== "active") ?? []
  const hasRoom = accounts.data !== undefined && accounts.data.accounts.length < accounts.data.maxAccounts
  return (
    <details className="menu" {...menu}>
      <summary>
        <Icon name="person" />
        <span>{me.data?.name ?? ""}</span>
        <Icon name="chevron" size={14} />
      </summary>
      <div className="menu-body">
        <p className="menu-who">
          Signed in as <b>{me.data?.email}</b>
        </p>
        {others.map(({ handle, user, status }) =>
          status === "expired" ? (
            <Link key={handle} className="menu-item" href="/signin?add=1">
              {user.email}: sign in again
            </Link>
          ) : (
            <button key={handle} type="button" className="menu-item" onClick={() => change.mutate(handle)}>
              Switch to {user.email}
            </button>
          )
        )}
        {hasRoom && (
          <Link className="menu-item" href="/signin?add=1">
            Add another account
          </Link>
        )}
        <button type="button" className="menu-item" onClick={() => signOut.mutate()}>
          Sign out
        </button>
        {(signOut.error ?? change.error) !== null && (
          <p className="form-error" role="alert">
            {(signOut.error ?? change.error)?.message}
          </p>
        )}
        <ThemeChoice />
      </div>
    </details>
  )
}
