/** A row of the example spreadsheets; an empty cell is an empty text. */
export interface PostRow {
	location_id: string;
	title: string;
	content: string;
	type: 'update' | 'offer' | 'event';
	image_url: string;
	publish_at: string;
}

/** The columns of the spreadsheets, in order. */
export const COLUMNS = [
	'location_id',
	'title',
	'content',
	'type',
	'image_url',
	'publish_at',
] as const satisfies ReadonlyArray<keyof PostRow>;

/** Ten locations of the sandbox's sample account. */
const MARLOW_DENTAL_CARE = 'loc_1o328zp'; // Portland
const WHITCOMBE_BAKERY = 'loc_0g6oh90'; // Bristol
const SANITAER_HARTMANN = 'loc_05tloiv'; // Leipzig
const FLEURS_ROUSSEAU = 'loc_0wybyra'; // Nantes
const FISIOTERAPIA_CASTILLO = 'loc_0qjr9z5'; // Valencia
const AUTOBEDRIJF_MEIJER = 'loc_1hohk7k'; // Utrecht
const FAIRFIELD_VETERINARY_CLINIC = 'loc_17berhf'; // Hobart
const LARKSPUR_BAKERY = 'loc_1c7jx5p'; // Savannah
const OAKRIDGE_PLUMBING = 'loc_04b65f0'; // Edinburgh
const BLUMENHAUS_FALK = 'loc_1sz7enz'; // Lübeck

function row(
	location_id: string,
	type: PostRow['type'],
	title: string,
	content: string,
	{ image = '', at = '' } = {},
): PostRow {
	return { location_id, title, content, type, image_url: image, publish_at: at };
}

/**
 * Four rounds of posts for ten local businesses. The texts hold what makes spreadsheets hard to
 * read: commas, quotes, line breaks, umlauts and accents, emoji, percent signs and semicolons.
 */
export const posts: PostRow[] = [
	row(
		MARLOW_DENTAL_CARE,
		'update',
		'Open until 7 pm on Thursdays',
		'Work gets in the way of check-ups? From March on we are here until 7 pm every Thursday.\nCall us, or book online.',
		{ at: '2027-03-01T16:00:00Z' },
	),
	row(
		WHITCOMBE_BAKERY,
		'offer',
		'Two sourdoughs, one price',
		'This Friday only: buy a sourdough, get a second one free – while stocks last, and they rarely do.',
		{ image: 'https://images.example/whitcombe/sourdough.jpg', at: '2027-03-05' },
	),
	row(
		SANITAER_HARTMANN,
		'update',
		'Heizung winterfest? Wir prüfen das',
		'Tropft es, gluckert es, bleibt es kalt? Unser Team prüft Ihre Heizung für 89 €, An- und Abfahrt inklusive.',
		{ at: '2027-03-02T07:30:00+01:00' },
	),
	row(
		FLEURS_ROUSSEAU,
		'event',
		'Atelier bouquets de printemps',
		'Venez composer votre bouquet avec nous, samedi de 14 h à 16 h.\n\nPlaces limitées : réservez en boutique.',
		{ image: 'https://images.example/rousseau/atelier.jpg', at: '2027-03-06T14:00:00+01:00' },
	),
	row(
		FISIOTERAPIA_CASTILLO,
		'update',
		'¿Dolor de espalda? Empieza aquí',
		'Cinco ejercicios, diez minutos al día: nuestra guía "Espalda sana" ya está en la recepción. ¡Gratis!',
		{ at: '2027-03-10 09:00' },
	),
	row(
		AUTOBEDRIJF_MEIJER,
		'offer',
		'Voorjaarscheck voor € 39,95',
		'Banden, remmen, vloeistoffen, verlichting: wij controleren 25 punten terwijl u een kop koffie drinkt ☕',
		{ at: '2027-03-08T08:00:00+01:00' },
	),
	row(
		FAIRFIELD_VETERINARY_CLINIC,
		'update',
		'Tick season is here',
		'Check ears, collar line and paws after every walk. Found one? Don’t pull, call us first.',
		{ image: 'https://images.example/fairfield/ticks.jpg', at: '2027-03-11 09:00' },
	),
	row(
		LARKSPUR_BAKERY,
		'event',
		'Kids’ baking morning',
		'Aprons on! Saturday, 9 to 11 am: children from 6 to 12 make their own cinnamon rolls.\nBring a box; there will be leftovers.',
		{ at: '2027-03-13T09:00:00-05:00' },
	),
	row(
		OAKRIDGE_PLUMBING,
		'update',
		'Where is your stopcock?',
		'The 30 seconds that save a kitchen: find it today, turn it once a year, and tell the family where it is.',
		{ at: '2027-03-09' },
	),
	row(
		BLUMENHAUS_FALK,
		'offer',
		'Frühlingsgrüße: 10 % auf Tulpen',
		'Rot, gelb, weiß, lila – bis Sonntag alle Tulpen 10 % günstiger. Einfach „Frühling“ an der Kasse sagen 🌷',
		{ image: 'https://images.example/falk/tulpen.jpg', at: '2027-03-10T08:00:00+01:00' },
	),

	row(
		MARLOW_DENTAL_CARE,
		'offer',
		'New here? First check-up, $49',
		'Exam, X-rays and an honest answer to "do I really need that?" for $49. New patients only, until April 30.',
		{ at: '2027-04-01T16:00:00Z' },
	),
	row(
		WHITCOMBE_BAKERY,
		'update',
		'Hot cross buns are back',
		'Spiced, glazed, and out of the oven at 7, 9 and 11 am. Order ahead for Good Friday, please 🐣',
		{ image: 'https://images.example/whitcombe/buns.jpg', at: '2027-03-19' },
	),
	row(
		SANITAER_HARTMANN,
		'offer',
		'Bad-Beratung vor Ort: kostenlos',
		'Wir kommen, messen, hören zu – und zeigen Ihnen am Tablet, wie Ihr neues Bad aussieht.\nTermine: Mo–Fr, 8 bis 18 Uhr.',
		{ at: '2027-03-12 09:00' },
	),
	row(
		FLEURS_ROUSSEAU,
		'update',
		'Fête des grand-mères : pensez-y !',
		'Dimanche, c’est leur jour. Bouquets prêts dès 19 €, livraison à vélo dans tout Nantes 🚲',
		{ at: '2027-03-05T08:00:00+01:00' },
	),
	row(
		FISIOTERAPIA_CASTILLO,
		'event',
		'Charla: correr sin lesiones',
		'Jueves a las 19 h, con Inés Castillo. Entrada libre; aforo: 30 personas, así que llega pronto.',
		{ image: 'https://images.example/castillo/charla.jpg', at: '2027-04-08T19:00:00+02:00' },
	),
	row(
		AUTOBEDRIJF_MEIJER,
		'update',
		'APK verlopen? Zo weet u het',
		'Vul uw kenteken in op onze site, of bel even. Wij sturen u zes weken vooraf een bericht.',
		{ at: '2027-04-05T08:00:00+02:00' },
	),
	row(
		FAIRFIELD_VETERINARY_CLINIC,
		'offer',
		'Dental month for dogs: 15% off',
		'Bad breath isn’t "just dog breath". Book a dental check in April and save 15% 🐶',
		{ at: '2027-04-01' },
	),
	row(
		LARKSPUR_BAKERY,
		'update',
		'Now baking: "The Savannahian"',
		'Rye, jalapeño, cheddar. Loud, a little hot, and gone by noon. You named it, we baked it.',
		{ image: 'https://images.example/larkspur/savannahian.jpg', at: '2027-03-13 09:00' },
	),
	row(
		OAKRIDGE_PLUMBING,
		'offer',
		'Boiler service, £65 until May',
		'Gas Safe registered, no call-out fee in Edinburgh, parts quoted before we touch a screw.',
		{ at: '2027-04-12T07:00:00Z' },
	),
	row(
		BLUMENHAUS_FALK,
		'event',
		'Kränze binden für Ostern',
		'Mittwoch, 18 Uhr, im Laden: Material, Anleitung und ein Glas Sekt für 25 €.\nAnmeldung: einfach vorbeikommen.',
		{ image: 'https://images.example/falk/kranz.jpg', at: '2027-03-24T18:00:00+01:00' },
	),

	row(
		MARLOW_DENTAL_CARE,
		'event',
		'Free smile check at the Saturday Market',
		'Look for the blue tent, next to the kettle corn. Five minutes, no appointment; kids get a sticker ⭐',
		{ image: 'https://images.example/marlow/market.jpg', at: '2027-05-08T10:00:00-07:00' },
	),
	row(
		WHITCOMBE_BAKERY,
		'event',
		'Bread course: from flour to crust',
		'Four hours, four loaves, one starter to take home. £45, tea and cake included; spaces for eight.',
		{ at: '2027-05-15T10:00:00+01:00' },
	),
	row(
		SANITAER_HARTMANN,
		'update',
		'Notdienst über die Feiertage',
		'Auch an Ostern erreichbar: 0341 555 0147. Bitte zuerst den Haupthahn schließen – dann anrufen.',
		{ at: '2027-03-26T07:00:00+01:00' },
	),
	row(
		FLEURS_ROUSSEAU,
		'offer',
		'-20 % sur les pivoines, ce week-end',
		'Elles ne durent pas, les pivoines. Notre prix non plus : 9,60 € la botte au lieu de 12 €.',
		{ image: 'https://images.example/rousseau/pivoines.jpg', at: '2027-05-21' },
	),
	row(
		FISIOTERAPIA_CASTILLO,
		'offer',
		'Bono de 5 sesiones: paga 4',
		'Válido hasta el 30 de junio; no acumulable. Pregunta por tu bono en recepción 💪',
		{ at: '2027-05-03T08:00:00+02:00' },
	),
	row(
		AUTOBEDRIJF_MEIJER,
		'event',
		'Open dag: kijk onder de brug',
		'Zaterdag van 10.00 tot 15.00 uur.\n- Laat uw auto gratis doormeten\n- Springkussen voor de kinderen\n- Poffertjes!',
		{ image: 'https://images.example/meijer/opendag.jpg', at: '2027-05-29T10:00:00+02:00' },
	),
	row(
		FAIRFIELD_VETERINARY_CLINIC,
		'event',
		'Puppy school, six Tuesdays',
		'Sit, stay, come back (eventually). For pups from 10 to 16 weeks, first vaccination needed.',
		{ at: '2027-03-14 09:00' },
	),
	row(
		LARKSPUR_BAKERY,
		'offer',
		'Day-old, half off',
		'Yesterday’s bread makes today’s best toast: 50% off everything on the left shelf, 7–9 am.',
		{ at: '2027-05-03T12:00:00Z' },
	),
	row(
		OAKRIDGE_PLUMBING,
		'event',
		'Fix-it evening for beginners',
		'Dripping taps, slow drains, running toilets: bring a photo, leave with a plan. Free, with biscuits 🍪',
		{ image: 'https://images.example/oakridge/fixit.jpg', at: '2027-05-19T18:30:00+01:00' },
	),
	row(
		BLUMENHAUS_FALK,
		'update',
		'Muttertag: Wir liefern aus',
		'Bis Samstag, 12 Uhr bestellen, am Sonntag zwischen 9 und 13 Uhr zugestellt. In ganz Lübeck, versprochen.',
		{ at: '2027-05-03T08:00:00+02:00' },
	),

	row(
		MARLOW_DENTAL_CARE,
		'update',
		'Meet Dr. Amara Osei',
		'She likes calm voices, clear bills and long bike rides. Dr. Osei joins us in June; "no rush" is her motto.',
		{ image: 'https://images.example/marlow/osei.jpg', at: '2027-06-01T16:00:00Z' },
	),
	row(
		WHITCOMBE_BAKERY,
		'update',
		'Closed for one week in August',
		'Even ovens need a holiday: we are away from 9 to 15 August. Stock up, freeze some, forgive us.',
		{ at: '2027-08-01' },
	),
	row(
		SANITAER_HARTMANN,
		'event',
		'Tag der offenen Werkstatt',
		'Löten, pressen, staunen: Samstag ab 10 Uhr in der Lindenstraße.\nFür Kinder: die „Rohr-Rallye“ 🔧',
		{ image: 'https://images.example/hartmann/werkstatt.jpg', at: '2027-06-12T10:00:00+02:00' },
	),
	row(
		FLEURS_ROUSSEAU,
		'update',
		'Nouveau : l’abonnement fleurs',
		'Un bouquet chaque vendredi, à la maison ou au bureau; sans engagement, dès 24 €/semaine.',
		{ at: '2027-03-15 09:00' },
	),
	row(
		FISIOTERAPIA_CASTILLO,
		'update',
		'Cerramos en agosto (pero no del todo)',
		'Del 9 al 20 de agosto atendemos solo por las mañanas, de 9 a 13 h. Urgencias: escríbenos.',
		{ at: '2027-07-26T08:00:00+02:00' },
	),
	row(
		AUTOBEDRIJF_MEIJER,
		'offer',
		'Airco bijvullen: nu € 20 korting',
		'Warm in de auto? Van juni tot en met augustus: airco-service voor € 69 in plaats van € 89.',
		{ image: 'https://images.example/meijer/airco.jpg', at: '2027-06-01T08:00:00+02:00' },
	),
	row(
		FAIRFIELD_VETERINARY_CLINIC,
		'update',
		'We’re open on public holidays',
		'10 am to 2 pm, emergencies first. Please ring ahead: (03) 5550 0123.',
		{ at: '2027-06-07T22:00:00Z' },
	),
	row(
		LARKSPUR_BAKERY,
		'event',
		'Porch concert + peach pie',
		'Live: "The Slow Risers". Sunday at 5 pm, on the porch, with peach pie by the slice.',
		{ image: 'https://images.example/larkspur/porch.jpg', at: '2027-06-20T17:00:00-04:00' },
	),
	row(
		OAKRIDGE_PLUMBING,
		'update',
		'New van, same number',
		'You’ll see a green one from now on. Call 0131 496 0123 – it’s still Tom who picks up.',
		{ at: '2027-03-16 09:00' },
	),
	row(
		BLUMENHAUS_FALK,
		'update',
		'Sommerfrisch: Balkonkästen nach Maß',
		'Sie bringen die Maße, wir die Blüten: bepflanzt, gedüngt, bienenfreundlich. Ab 35 €, fertig in zwei Tagen.',
		{ at: '2027-06-04T08:00:00+02:00' },
	),
];
