/** A trade: the business's name, with `*` for the family name, and what people search for. */
interface Trade {
	name: string;
	noun: string;
}

interface Language {
	families: readonly string[];
	trades: readonly Trade[];
	/** `*` stands for the street's own name, `#` for the house number. */
	addresses: readonly string[];
	streets: readonly string[];
	/** `*` stands for what is searched for, `@` for the city. */
	searches: readonly string[];
	/** `*` stands for the business's name, `@` for the city. */
	posts: ReadonlyArray<{ type: string; title: string; content: string }>;
}

/** Texts without a comma. */
const list = (texts: string) => texts.split(', ');

const english: Language = {
	families: list(
		'Marlow, Whitcombe, Harborview, Ashdown, Brightwater, Calloway, Fairfield, Greenhill, Kingsley, Larkspur, Oakridge, Pemberton, Redfern',
	),
	trades: [
		{ name: '* Dental Care', noun: 'dentist' },
		{ name: '* Bakery', noun: 'bakery' },
		{ name: '* Plumbing', noun: 'plumber' },
		{ name: '* Flowers', noun: 'florist' },
		{ name: '* Physiotherapy', noun: 'physiotherapist' },
		{ name: '* Auto Repair', noun: 'car repair' },
		{ name: '* Veterinary Clinic', noun: 'vet' },
		{ name: '* Coffee Roasters', noun: 'coffee shop' },
		{ name: '* Hair Studio', noun: 'hairdresser' },
		{ name: '* Bicycles', noun: 'bike shop' },
	],
	addresses: ['# * Street', '# * Avenue', '# * Road'],
	streets: list('Market, Church, Mill, Station, Park, Queen, Harbour, Elm'),
	searches: list(
		'* near me, * @, best * @, * open now, * open sunday, cheap * @, * reviews @, * prices',
	),
	posts: [
		{
			type: 'update',
			title: 'New opening hours',
			content: 'From next week * is open until 7 pm on Thursdays. See you in @!',
		},
		{
			type: 'offer',
			title: '10% off for new customers',
			content: 'First visit to *? Mention this post and save 10% until the end of the month.',
		},
		{
			type: 'event',
			title: 'Open day on Saturday',
			content: 'Meet the team of * in @, look behind the scenes and have a coffee with us.',
		},
	],
};

const german: Language = {
	families: list(
		'Lindner, Vogt, Hartmann, Brückner, Seidel, Krämer, Albrecht, Jansen, Winkler, Reuter, Böhm, Falk, Sommer',
	),
	trades: [
		{ name: 'Zahnarztpraxis *', noun: 'zahnarzt' },
		{ name: 'Bäckerei *', noun: 'bäckerei' },
		{ name: 'Sanitär *', noun: 'klempner' },
		{ name: 'Blumenhaus *', noun: 'blumenladen' },
		{ name: 'Physiotherapie *', noun: 'physiotherapie' },
		{ name: 'Autowerkstatt *', noun: 'autowerkstatt' },
		{ name: 'Tierarztpraxis *', noun: 'tierarzt' },
		{ name: 'Kaffeerösterei *', noun: 'café' },
		{ name: 'Friseur *', noun: 'friseur' },
		{ name: 'Fahrrad *', noun: 'fahrradladen' },
	],
	addresses: ['*straße #', '*weg #', '*gasse #'],
	streets: list('Linden, Garten, Mühlen, Schiller, Kirch, Berg, Ring, Brunnen'),
	searches: list(
		'* in der nähe, * @, bester * @, * jetzt geöffnet, * sonntag geöffnet, günstiger * @, * bewertungen, * preise',
	),
	posts: [
		{
			type: 'update',
			title: 'Neue Öffnungszeiten',
			content: 'Ab nächster Woche hat * donnerstags bis 19 Uhr geöffnet. Bis bald in @!',
		},
		{
			type: 'offer',
			title: '10 % für neue Kunden',
			content: 'Zum ersten Mal bei *? Diesen Beitrag zeigen und bis Monatsende 10 % sparen.',
		},
		{
			type: 'event',
			title: 'Tag der offenen Tür',
			content: 'Lernen Sie das Team von * in @ kennen, bei Kaffee und Kuchen.',
		},
	],
};

const french: Language = {
	families: list(
		'Moreau, Lefèvre, Garnier, Rousseau, Chevalier, Perrin, Dumont, Blanchard, Marchand, Renaud, Barbier, Colin, Lacroix',
	),
	trades: [
		{ name: 'Cabinet dentaire *', noun: 'dentiste' },
		{ name: 'Boulangerie *', noun: 'boulangerie' },
		{ name: 'Plomberie *', noun: 'plombier' },
		{ name: 'Fleurs *', noun: 'fleuriste' },
		{ name: 'Kinésithérapie *', noun: 'kinésithérapeute' },
		{ name: 'Garage *', noun: 'garage auto' },
		{ name: 'Clinique vétérinaire *', noun: 'vétérinaire' },
		{ name: 'Torréfaction *', noun: 'café' },
		{ name: 'Coiffure *', noun: 'coiffeur' },
		{ name: 'Cycles *', noun: 'magasin de vélo' },
	],
	addresses: ['#, rue *', '#, avenue *', '#, place *'],
	streets: list(
		'de la République, Victor-Hugo, du Marché, des Lilas, Pasteur, de la Gare, Molière, des Tilleuls',
	),
	searches: list(
		'* près de moi, * @, meilleur * @, * ouvert maintenant, * ouvert dimanche, * pas cher @, * avis, * tarifs',
	),
	posts: [
		{
			type: 'update',
			title: 'Nouveaux horaires',
			content: 'Dès la semaine prochaine, * est ouvert jusqu’à 19 h le jeudi. À bientôt à @ !',
		},
		{
			type: 'offer',
			title: '10 % pour les nouveaux clients',
			content: 'Première visite chez * ? Montrez ce message et profitez de 10 % ce mois-ci.',
		},
		{
			type: 'event',
			title: 'Portes ouvertes samedi',
			content: 'Rencontrez l’équipe de * à @ autour d’un café.',
		},
	],
};

const spanish: Language = {
	families: list(
		'Navarro, Serrano, Molina, Ortega, Castillo, Vidal, Romero, Iglesias, Campos, Herrera, Peña, Soler, Fuentes',
	),
	trades: [
		{ name: 'Clínica Dental *', noun: 'dentista' },
		{ name: 'Panadería *', noun: 'panadería' },
		{ name: 'Fontanería *', noun: 'fontanero' },
		{ name: 'Floristería *', noun: 'floristería' },
		{ name: 'Fisioterapia *', noun: 'fisioterapeuta' },
		{ name: 'Talleres *', noun: 'taller mecánico' },
		{ name: 'Clínica Veterinaria *', noun: 'veterinario' },
		{ name: 'Cafés *', noun: 'cafetería' },
		{ name: 'Peluquería *', noun: 'peluquería' },
		{ name: 'Bicicletas *', noun: 'tienda de bicicletas' },
	],
	addresses: ['Calle *, #', 'Avenida *, #', 'Plaza *, #'],
	streets: list(
		'Mayor, del Carmen, de la Paz, San Miguel, Cervantes, del Sol, Nueva, de la Fuente',
	),
	searches: list(
		'* cerca de mí, * @, mejor * @, * abierto ahora, * abierto domingo, * barato @, * opiniones, * precios',
	),
	posts: [
		{
			type: 'update',
			title: 'Nuevo horario',
			content: 'Desde la próxima semana * abre los jueves hasta las 19 h. ¡Nos vemos en @!',
		},
		{
			type: 'offer',
			title: '10 % para nuevos clientes',
			content: '¿Primera visita a *? Enseña esta publicación y ahorra un 10 % este mes.',
		},
		{
			type: 'event',
			title: 'Jornada de puertas abiertas',
			content: 'Conoce al equipo de * en @ y tómate un café con nosotros.',
		},
	],
};

const dutch: Language = {
	families: list(
		'De Vries, Van Dijk, Bakker, Visser, Smit, Meijer, Mulder, De Groot, Bos, Dekker, Hendriks, Van Leeuwen, Kuipers',
	),
	trades: [
		{ name: 'Tandartspraktijk *', noun: 'tandarts' },
		{ name: 'Bakkerij *', noun: 'bakker' },
		{ name: 'Loodgieter *', noun: 'loodgieter' },
		{ name: 'Bloemenhuis *', noun: 'bloemist' },
		{ name: 'Fysiotherapie *', noun: 'fysiotherapeut' },
		{ name: 'Autobedrijf *', noun: 'garage' },
		{ name: 'Dierenkliniek *', noun: 'dierenarts' },
		{ name: 'Koffiebranderij *', noun: 'koffiebar' },
		{ name: 'Kapsalon *', noun: 'kapper' },
		{ name: 'Fietsen *', noun: 'fietsenwinkel' },
	],
	addresses: ['*straat #', '*weg #', '*laan #'],
	streets: list('Kerk, Molen, Linden, Station, Markt, Beuken, Haven, Dorps'),
	searches: list(
		'* in de buurt, * @, beste * @, * nu open, * zondag open, goedkope * @, * ervaringen, * prijzen',
	),
	posts: [
		{
			type: 'update',
			title: 'Nieuwe openingstijden',
			content: 'Vanaf volgende week is * op donderdag open tot 19 uur. Tot ziens in @!',
		},
		{
			type: 'offer',
			title: '10% korting voor nieuwe klanten',
			content: 'Voor het eerst bij *? Laat dit bericht zien en krijg 10% korting deze maand.',
		},
		{
			type: 'event',
			title: 'Open dag op zaterdag',
			content: 'Maak kennis met het team van * in @, met koffie en gebak.',
		},
	],
};

/** Where the sample account has its locations; in turn, in this order. */
export const countries: ReadonlyArray<{
	code: string;
	cities: readonly string[];
	language: Language;
}> = [
	{ code: 'US', cities: ['Portland', 'Austin', 'Denver', 'Savannah'], language: english },
	{ code: 'GB', cities: ['Bristol', 'Leeds', 'Norwich', 'Edinburgh'], language: english },
	{ code: 'DE', cities: ['Leipzig', 'Münster', 'Freiburg', 'Lübeck'], language: german },
	{ code: 'FR', cities: ['Nantes', 'Lyon', 'Rennes', 'Annecy'], language: french },
	{ code: 'ES', cities: ['Valencia', 'Sevilla', 'Bilbao', 'Málaga'], language: spanish },
	{ code: 'NL', cities: ['Utrecht', 'Haarlem', 'Groningen', 'Breda'], language: dutch },
	{ code: 'AU', cities: ['Hobart', 'Fremantle', 'Geelong', 'Cairns'], language: english },
	{ code: 'CA', cities: ['Halifax', 'Kelowna', 'Guelph', 'Victoria'], language: english },
];
