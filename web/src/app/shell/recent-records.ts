import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * A record that was opened here. Only its place is kept: its title is asked for again, so that nothing
 * outlives a right that was lost.
 */
export interface RecentRecord {
  /** The first part of its screen's path */
  path: string
  id: number
}

const STORED = 'recent_records'
const MOST = 8

/** The records that this person opened last on this device, the newest first. */
export function readRecentRecords(personId: number): RecentRecord[] {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as { personId?: unknown; records?: unknown } | null
    return kept?.personId === personId && Array.isArray(kept.records)
      ? kept.records.filter(isRecord).slice(0, MOST)
      : []
  } catch {
    return []
  }
}

/** Keeps which records are opened. */
export function useNoteRecords(personId: number): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    const [, path, id] = /^\/([a-z-]+)\/([1-9]\d*)\/edit$/.exec(pathname ?? '') ?? []
    if (path === undefined) return
    const record = { path, id: Number(id) }
    const others = readRecentRecords(personId).filter((one) => one.path !== record.path || one.id !== record.id)
    localStorage.setItem(STORED, JSON.stringify({ personId, records: [record, ...others].slice(0, MOST) }))
  }, [pathname, personId])
}

const isRecord = (value: unknown): value is RecentRecord =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'id' in value &&
  Number.isSafeInteger(value.id)
