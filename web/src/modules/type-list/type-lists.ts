import type { ViewOf } from '@waybill/contract/kit/resource'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import { useMatch } from '@tanstack/react-router'

export type Type = ViewOf<typeof unitTypeApi>

/**
 * The four lists are one idea: a title each (spec §3). `name` is what they are called in histories and after saving,
 * `words` the part of the texts.
 */
const TYPE_LISTS = [
  { api: unitTypeApi, name: 'unitType', words: 'unit' },
  { api: vehicleTypeApi, name: 'vehicleType', words: 'vehicle' },
  { api: cargoTypeApi, name: 'cargoType', words: 'cargo' },
  { api: specialHandlingTypeApi, name: 'specialHandlingType', words: 'specialHandling' },
] as const

export type TypeList = (typeof TYPE_LISTS)[number]

/** The list that the page's address names. */
export function useTypeList(): TypeList {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname.split('/')[1] })
  return TYPE_LISTS.find(({ api }) => api.path === path) ?? TYPE_LISTS[0]
}

/** Where an entry is opened. */
export const typePath = ({ api }: TypeList, id: number): string => `/${api.path}/${id}/edit`
