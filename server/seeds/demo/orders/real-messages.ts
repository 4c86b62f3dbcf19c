/** The eight transport orders in the words in which customers sent them. */
export const REAL_MESSAGES = {
  one: `Betreff: Transportauftrag 4500129877 – Komplettladung Hamburg → Poznań

Sehr geehrte Damen und Herren,
bitte übernehmen Sie folgende Komplettladung:
Beladung: Nordlicht Maschinenbau GmbH, Billbrookdeich 210, 22113 Hamburg, Tor 4, Mo 30.11.2026 08:00–12:00 Uhr, Herr \
Jansen +49 40 5550 1204
Entladung: Wielkopolska Tech Sp. z o.o., ul. Bukowska 285, 60-189 Poznań, Di 01.12.2026 fix 07:00, Pani Nowicka +48 \
61 555 22 10
33 Europaletten (120 × 80 × 145 cm), je 640 kg, Maschinenteile, nicht stapelbar, Warenwert 86.000 €
Fracht 1.180,00 € netto, 45 Tage. CMR und Palettenschein bitte binnen 5 Tagen. Keine Umladung.
Rechnung an: Nordlicht Holding AG, Am Sandtorkai 50, 20457 Hamburg, USt-IdNr. DE136695976`,

  two: `Temat: Zlecenie transportowe ZT/11/0341

Dzień dobry, proszę o podstawienie auta (firana, winda NIE, pasy 12 szt.):
Załadunek: Fabryka Mebli Łódź S.A., ul. Pabianicka 119, 93-490 Łódź, 02.12.2026 godz. 6:00–14:00, rampa 2, Tomasz \
Wójcik +48 42 555 17 80
Rozładunek 1: Möbelhaus Kröger, Industriestr. 14, 33689 Bielefeld, 03.12.2026 do 16:00 – 9 palet 200×120×110 cm po \
310 kg
Rozładunek 2: Wohnwelt Rhein GmbH, Carl-Benz-Str. 3, 50226 Frechen, 04.12.2026 okno 08:00–10:00 – 6 palet 120×80×220 \
cm po 280 kg + 40 kartonów razem 3,2 m³, 410 kg (na paletach 2 × 120×100 cm)
Stawka 1 450 EUR, termin płatności 60 dni. Awizacja kierowcy (nazwisko, nr rejestracyjny) dzień wcześniej!`,

  three: `Subject: PO 77-2026 part load Wrocław - Basel (export, T1 not needed, EX-A to follow)

Hi team,
4 pallets 120x100x160, 2,300 kg total, spare parts for textile machines, value EUR 54,200, please insure.
Collect: Silesia Parts, ul. Kwiatkowskiego 4, 52-326 Wrocław, Poland. Ready from Thursday 26 Nov 2026 10:00, latest \
15:00. Ask for Marek, +48 71 555 90 31, forklift on site.
Deliver: Rheintal Textil AG, Hafenstrasse 88, 4057 Basel, Switzerland, before Monday 30 Nov 12:00. Border clearance \
Weil am Rhein, agent Zollservice Dreiländereck +49 7621 555 40.
Rate agreed: EUR 690. We need the export certificate for our tax file and the arrival time by email.
Invoice to us: Alpenfaden AG, Seestrasse 12, 8002 Zürich (CHE-123.456.788 MWST).`,

  four: `Betreff: Sammelgut KW 49 – drei Sendungen Richtung Mailand

Guten Morgen, für die Abholung am 01.12.2026 (7–15 Uhr) bei uns, Kartonwerk Süd GmbH, Daimlerstr. 7, 86368 Gersthofen:
a) 5 Gitterboxen 124 × 83,5 × 97 cm, je 420 kg, 2fach stapelbar → Officina Brambilla S.r.l., Via Mecenate 76, 20138 \
Milano, bis Do 03.12. 12:00
b) 2 Rollen Papier Ø 125 cm, L 180 cm, je 1.150 kg, liegend, Keile nötig → Cartiera Olona, Via Sempione 210, 20025 \
Legnano, Do 03.12. fix 14:00
c) 1 Palette 120 × 80 × 90 cm, 95 kg, Muster, dringend → Studio Verdi, Corso Como 9, 20154 Milano, Anlieferung nur \
mit Hebebühne, Fr 04.12. 9–11 Uhr
Preise: a) 410 €, b) 520 €, c) 165 €. Bitte drei einzelne Rechnungen oder eine Sammelrechnung – Hauptsache die \
POD-Scans hängen dran.`,

  five: `Subject: Reefer Rotterdam/Venlo -> Warszawa, Wed

Two pick-ups, one drop, +2/+8 °C, temperature record required with the CMR.
1) Kade Cold Store, Reeweg 25, 3089 KM Rotterdam, Wed 2 Dec 2026 14:00 fix, ref RCS-88120, 14 pallets 120x100x180, \
9,100 kg
2) Venlo Fresh Hub, Venrayseweg 198, 5928 RH Venlo, Wed 2 Dec 18:00-20:00, ref VFH-2231, 12 pallets 120x80x175, 6,240 kg
Drop: Chłodnia Mazowsze, ul. Poznańska 98, 05-850 Ożarów Mazowiecki, Fri 4 Dec 04:00-06:00, slot booked, be on time: \
50 EUR per started hour of delay.
Price 2,350 EUR all in, 30 days. Driver must have safety shoes + hi-vis. Second driver not needed.`,

  six: `Temat: PILNE bus jutro rano Katowice–Ingolstadt

1 paleta 120x80x100, 380 kg, części do linii, wartość 12 000 EUR. Załadunek jutro 24.11.2026 06:00 punktualnie: \
AutoKomponent, ul. Rzemieślnicza 11, 40-265 Katowice (portier da kwit). Rozładunek: Donau Montagewerk, Ringlerstr. \
28, 85057 Ingolstadt do 17:00 tego samego dnia, brama 3, Herr Aigner +49 841 555 606. 
Cena 780 EUR. Proszę o telefon 30 min przed przyjazdem i zdjęcie podpisanego CMR zaraz po rozładunku. Płatność 14 dni.`,

  seven: `Betreff: Anfrage/Auftrag Stahlträger Salzgitter – Gdynia

12 Bund Träger, L 13,40 m × B 0,60 m × H 0,45 m, je 2.150 kg (stapelbar, 4 nebeneinander, 3 hoch), Kran vorhanden, \
Coilmulde nein, Rungen ja.
Abholung Flachstahl Werk 2, Eisenhüttenstr. 99, 38239 Salzgitter, KW 49 nach Absprache (Avis 1 Tag vorher, Frau Dr. \
Öztürk +49 5341 555 0), Lieferung BCT Terminal, ul. Energetyków 5, 81-184 Gdynia, spätestens 08.12.2026.
Preis nach Vereinbarung, bitte Bestätigung. Kundenreferenz: SZG-„Ostsee“/26 & Co <dringend>`,

  eight: `Subject: Re: Re: order 2026/118 – changes

Morning, sorry: (1) the second drop in Lille is cancelled, goods stay on board to Gent; (2) 18 pallets, not 20 \
(1,200 kg less, so 10,800); (3) your invoice shows 1,320 instead of the agreed 1,230 – please send a proper \
correction, we have already booked the first one;
(4) the truck waited 3.5 h at loading, we accept 3 h × 45 EUR waiting time on top, separately please; (5) tomorrow's \
order 2026/121 we must withdraw, the carrier should not drive to Roeselare.
Thanks, Inez De Smet, Vlaamse Textielhandel NV, Kortrijksesteenweg 1007, 9000 Gent, BE0987654394`,
} as const
