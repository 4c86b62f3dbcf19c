import { expect, test } from 'vitest'
import { namedIn, nameBefore, partsOf } from './mentions.ts'

test('a name is looked for behind an @ at the beginning of a word, up to its second word', () => {
  expect(nameBefore('@', 1)).toEqual({ at: 0, q: '' })
  expect(nameBefore('Ask @jo', 7)).toEqual({ at: 4, q: 'jo' })
  expect(nameBefore('Ask @Jonas Hä', 13)).toEqual({ at: 4, q: 'Jonas Hä' })
  expect(nameBefore('Ask @Jonas Härtwig now', 22)).toBeNull()
  expect(nameBefore('mail@example', 12)).toBeNull()
  expect(nameBefore('Ask @jo please', 3)).toBeNull()
})

test('who was taken out of the text again is not named', () => {
  const people = [
    { id: 1, title: 'Jonas Härtwig' },
    { id: 2, title: 'Anna Lindqvist' },
    { id: 1, title: 'Jonas Härtwig' },
  ]
  expect(namedIn('@Jonas Härtwig please', people)).toEqual([1])
  expect(namedIn('nobody', people)).toEqual([])
})

test('names stand out, the longer of two that begin alike as a whole', () => {
  const people = [
    { id: 1, title: 'Jan' },
    { id: 2, title: 'Jan (Nowak-Lis)' },
  ]
  expect(partsOf('@Jan (Nowak-Lis) and @Jan!', people)).toEqual([
    { text: '@Jan (Nowak-Lis)', start: 0, isName: true },
    { text: ' and ', start: 16, isName: false },
    { text: '@Jan', start: 21, isName: true },
    { text: '!', start: 25, isName: false },
  ])
  expect(partsOf('plain', [])).toEqual([{ text: 'plain', start: 0, isName: false }])
})
