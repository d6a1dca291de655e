import type { Permission } from "../../domain/access/Permission.ts"

const questions: ReadonlyArray<Permission> = ["markers:read", "analytics:read"]

/** What a page cannot be without. A part of a page that needs more does without it, or says so. */
const needs: Readonly<Record<string, ReadonlyArray<Permission>>> = {
  home: questions,
  insights: questions,
  funnels: questions,
  retention: questions,
  heatmaps: questions,
  boards: ["analytics:read"],
  saved: ["analytics:read"],
  players: ["players:read"],
  cohorts: ["cohorts:read"],
  configurations: ["configurations:read"],
  experiments: ["experiments:read"],
  deeplinks: ["deeplinks:read"],
  markers: ["markers:read"],
  alerts: ["alerts:read"],
  plan: ["markers:read"],
  setup: ["markers:read"],
  settings: []
}

/** Permissions for want of which the page cannot be shown; empty where it can. */
export const lackedBy = (page: string, may: (permission: Permission) => boolean): ReadonlyArray<Permission> =>
  (needs[page] ?? []).filter((permission) => !may(permission))

/** Whether somebody has said what the page needs. A test asks for it of every page. */
export const isKnown = (page: string): boolean => needs[page] !== undefined
