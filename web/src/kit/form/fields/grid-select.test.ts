import { expect, test } from 'vitest'
import { choicesFor } from './grid-select.tsx'

const choices = ['', 'Europallet', 'Pallet', 'PL Poland', 'PT Portugal', 'Mesh box'].map((label) => ({
  value: label,
  label,
}))
const found = (typed: string) => choicesFor(choices, typed).map(({ label }) => label)

test('what begins as typed comes first, then what has a word that does, then what contains it', () => {
  expect(found('p')).toEqual(['Pallet', 'PL Poland', 'PT Portugal', 'Europallet'])
  expect(found('pol')).toEqual(['PL Poland'])
  expect(found('pal')).toEqual(['Pallet', 'Europallet'])
  expect(found('BOX')).toEqual(['Mesh box'])
})

test('what is called so in another language comes last', () => {
  const palettes = [
    { value: 1, label: 'Gitterbox', also: ['Mesh box', 'Gitterboks'] },
    { value: 2, label: 'Meterware' },
  ]
  const labels = (typed: string) => choicesFor(palettes, typed).map(({ label }) => label)
  expect(labels('me')).toEqual(['Meterware', 'Gitterbox'])
  expect(labels('box')).toEqual(['Gitterbox'])
  expect(labels('gitterboks')).toEqual(['Gitterbox'])
})

test('nothing typed leaves all, and what nothing has leaves none', () => {
  expect(found(' ')).toHaveLength(choices.length)
  expect(found('xyz')).toEqual([])
})
