import { expect, it } from 'vitest'
import { nameParts } from './person-name.ts'

it.each([
  ['Tomasz Wójcik', null, 'Wójcik'],
  ['Dr. Aylin Öztürk', 'Dr.', 'Öztürk'],
  ['Prof. Dr. Karl-Heinz Müller-Lüdenscheidt', 'Prof. Dr.', 'Müller-Lüdenscheidt'],
  ['Dipl.-Ing. Jens Rahn', 'Dipl.-Ing.', 'Rahn'],
  ['mgr inż. Anna Nowak', 'mgr inż.', 'Nowak'],
  ['Jan van der Berg', null, 'van der Berg'],
  ['Ursula von der Heide', null, 'von der Heide'],
  ['Krause, Monika', null, 'Krause'],
  ['Dr. Krause, Monika', 'Dr.', 'Krause'],
  ['Ola', null, 'Ola'],
  ['Di Marco', null, 'Marco'],
  ['  Drago   Ingvarsson ', null, 'Ingvarsson'],
])('reads %s', (fullName, academicTitle, lastName) => {
  expect(nameParts(fullName)).toEqual({ academicTitle, lastName })
})
