import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../shortcuts/shortcuts.ts'

/** The rows that were chosen for one action on all of them. */
export interface RowSelection<Item> {
  keys: ReadonlySet<number>
  /** As they were seen last, in the order in which they were chosen */
  rows: readonly Item[]
  choose: (keys: ReadonlySet<number>) => void
  /** Chooses these as well; they need not be on the page */
  add: (rows: readonly Item[]) => void
  clear: () => void
}

/**
 * Which rows of a list are chosen, by their boxes or with X for the row in hand. Other pages, filters and newer rows
 * do not change it: what is chosen stays chosen until the person takes it away.
 */
export function useRowSelection<Item extends { id: number }>(
  rows: readonly Item[] | null,
  idInHand: number | null,
  isOn: boolean,
): RowSelection<Item> {
  const { t } = useTranslation(['list', 'list-page'])
  const [chosen, setChosen] = useState<ReadonlyMap<number, Item>>(new Map())
  const [seen, setSeen] = useState(rows)
  if (rows !== seen) {
    setSeen(rows)
    const newer = rows?.filter((row) => chosen.has(row.id)) ?? []
    if (newer.length > 0) setChosen(new Map([...chosen, ...newer.map((row) => [row.id, row] as const)]))
  }
  const choose = (keys: ReadonlySet<number>) => {
    const found = (key: number) => chosen.get(key) ?? rows?.find((row) => row.id === key)
    setChosen(new Map([...keys].flatMap((key) => found(key) ?? []).map((row) => [row.id, row])))
  }
  const add = (more: readonly Item[]) => setChosen(new Map([...chosen, ...more.map((row) => [row.id, row] as const)]))
  const keys = new Set(chosen.keys())
  const toggle = () => {
    if (idInHand === null) return
    choose(new Set(keys.has(idInHand) ? [...keys].filter((key) => key !== idInHand) : [...keys, idInHand]))
  }
  useShortcut({ key: 'x', label: t('list-page:key.select'), run: toggle }, isOn && idInHand !== null)
  return { keys, rows: [...chosen.values()], choose, add, clear: () => setChosen(new Map()) }
}
