import { useLocation } from "wouter"

/**
 * Leads on from a page once what was begun on it is done, such as to what was made. Who has gone to another page meanwhile stays there, unless
 * that page begins with `within`: what it shows is gone.
 */
export const useOnward = () => {
  const [, navigate] = useLocation()
  const here = window.location.pathname
  return (to: string, within?: string): void => {
    const { pathname } = window.location
    if (within === undefined ? pathname === here : pathname.startsWith(within)) navigate(to)
  }
}
