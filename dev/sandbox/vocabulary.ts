/**
 * A language in texts: entries are separated by `|`, the two parts of a trade or a post by `=`. `*` stands
 * for the family of a trade, the name of a street, what is searched for, or the business of a post; `#` for
 * a house number, and `@` for the city.
 */
function language(
	texts: Record<'families' | 'trades' | 'addresses' | 'streets' | 'searches' | 'posts', string>,
) {
	const list = (text: string) => text.split(' | ');
	const pairs = (text: string) => list(text).map((pair) => pair.split(' = '));
	const types = ['update', 'offer', 'event'];
	return {
		families: list(texts.families),
		/** The business's name, and what people search for. */
		trades: pairs(texts.trades).map(([name, noun]) => ({ name, noun })),
		addresses: list(texts.addresses),
		streets: list(texts.streets),
		searches: list(texts.searches),
		posts: pairs(texts.posts).map(([title, content], at) => ({ type: types[at], title, content })),
	};
}

const english = language({
	families:
		'Marlow | Whitcombe | Harborview | Ashdown | Brightwater | Calloway | Fairfield | Greenhill | Kingsley | Larkspur | Oakridge | Pemberton | Redfern',
	trades:
		'* Dental Care = dentist | * Bakery = bakery | * Plumbing = plumber | * Flowers = florist | * Physiotherapy = physiotherapist | * Auto Repair = car repair | * Veterinary Clinic = vet | * Coffee Roasters = coffee shop | * Hair Studio = hairdresser | * Bicycles = bike shop',
	addresses: '# * Street | # * Avenue | # * Road',
	streets: 'Market | Church | Mill | Station | Park | Queen | Harbour | Elm',
	searches:
		'* near me | * @ | best * @ | * open now | * open sunday | cheap * @ | * reviews @ | * prices',
	posts:
		'New opening hours = From next week * is open until 7 pm on Thursdays. See you in @! | 10% off for new customers = First visit to *? Mention this post and save 10% until the end of the month. | Open day on Saturday = Meet the team of * in @, look behind the scenes and have a coffee with us.',
});

const german = language({
	families:
		'Lindner | Vogt | Hartmann | Brückner | Seidel | Krämer | Albrecht | Jansen | Winkler | Reuter | Böhm | Falk | Sommer',
	trades:
		'Zahnarztpraxis * = zahnarzt | Bäckerei * = bäckerei | Sanitär * = klempner | Blumenhaus * = blumenladen | Physiotherapie * = physiotherapie | Autowerkstatt * = autowerkstatt | Tierarztpraxis * = tierarzt | Kaffeerösterei * = café | Friseur * = friseur | Fahrrad * = fahrradladen',
	addresses: '*straße # | *weg # | *gasse #',
	streets: 'Linden | Garten | Mühlen | Schiller | Kirch | Berg | Ring | Brunnen',
	searches:
		'* in der nähe | * @ | bester * @ | * jetzt geöffnet | * sonntag geöffnet | günstiger * @ | * bewertungen | * preise',
	posts:
		'Neue Öffnungszeiten = Ab nächster Woche hat * donnerstags bis 19 Uhr geöffnet. Bis bald in @! | 10 % für neue Kunden = Zum ersten Mal bei *? Diesen Beitrag zeigen und bis Monatsende 10 % sparen. | Tag der offenen Tür = Lernen Sie das Team von * in @ kennen, bei Kaffee und Kuchen.',
});

const french = language({
	families:
		'Moreau | Lefèvre | Garnier | Rousseau | Chevalier | Perrin | Dumont | Blanchard | Marchand | Renaud | Barbier | Colin | Lacroix',
	trades:
		'Cabinet dentaire * = dentiste | Boulangerie * = boulangerie | Plomberie * = plombier | Fleurs * = fleuriste | Kinésithérapie * = kinésithérapeute | Garage * = garage auto | Clinique vétérinaire * = vétérinaire | Torréfaction * = café | Coiffure * = coiffeur | Cycles * = magasin de vélo',
	addresses: '#, rue * | #, avenue * | #, place *',
	streets:
		'de la République | Victor-Hugo | du Marché | des Lilas | Pasteur | de la Gare | Molière | des Tilleuls',
	searches:
		'* près de moi | * @ | meilleur * @ | * ouvert maintenant | * ouvert dimanche | * pas cher @ | * avis | * tarifs',
	posts:
		'Nouveaux horaires = Dès la semaine prochaine, * est ouvert jusqu’à 19 h le jeudi. À bientôt à @ ! | 10 % pour les nouveaux clients = Première visite chez * ? Montrez ce message et profitez de 10 % ce mois-ci. | Portes ouvertes samedi = Rencontrez l’équipe de * à @ autour d’un café.',
});

const spanish = language({
	families:
		'Navarro | Serrano | Molina | Ortega | Castillo | Vidal | Romero | Iglesias | Campos | Herrera | Peña | Soler | Fuentes',
	trades:
		'Clínica Dental * = dentista | Panadería * = panadería | Fontanería * = fontanero | Floristería * = floristería | Fisioterapia * = fisioterapeuta | Talleres * = taller mecánico | Clínica Veterinaria * = veterinario | Cafés * = cafetería | Peluquería * = peluquería | Bicicletas * = tienda de bicicletas',
	addresses: 'Calle *, # | Avenida *, # | Plaza *, #',
	streets:
		'Mayor | del Carmen | de la Paz | San Miguel | Cervantes | del Sol | Nueva | de la Fuente',
	searches:
		'* cerca de mí | * @ | mejor * @ | * abierto ahora | * abierto domingo | * barato @ | * opiniones | * precios',
	posts:
		'Nuevo horario = Desde la próxima semana * abre los jueves hasta las 19 h. ¡Nos vemos en @! | 10 % para nuevos clientes = ¿Primera visita a *? Enseña esta publicación y ahorra un 10 % este mes. | Jornada de puertas abiertas = Conoce al equipo de * en @ y tómate un café con nosotros.',
});

const dutch = language({
	families:
		'De Vries | Van Dijk | Bakker | Visser | Smit | Meijer | Mulder | De Groot | Bos | Dekker | Hendriks | Van Leeuwen | Kuipers',
	trades:
		'Tandartspraktijk * = tandarts | Bakkerij * = bakker | Loodgieter * = loodgieter | Bloemenhuis * = bloemist | Fysiotherapie * = fysiotherapeut | Autobedrijf * = garage | Dierenkliniek * = dierenarts | Koffiebranderij * = koffiebar | Kapsalon * = kapper | Fietsen * = fietsenwinkel',
	addresses: '*straat # | *weg # | *laan #',
	streets: 'Kerk | Molen | Linden | Station | Markt | Beuken | Haven | Dorps',
	searches:
		'* in de buurt | * @ | beste * @ | * nu open | * zondag open | goedkope * @ | * ervaringen | * prijzen',
	posts:
		'Nieuwe openingstijden = Vanaf volgende week is * op donderdag open tot 19 uur. Tot ziens in @! | 10% korting voor nieuwe klanten = Voor het eerst bij *? Laat dit bericht zien en krijg 10% korting deze maand. | Open dag op zaterdag = Maak kennis met het team van * in @, met koffie en gebak.',
});

/** Where the sample account has its locations; in turn, in this order. */
export const countries = [
	{ code: 'US', cities: ['Portland', 'Austin', 'Denver', 'Savannah'], language: english },
	{ code: 'GB', cities: ['Bristol', 'Leeds', 'Norwich', 'Edinburgh'], language: english },
	{ code: 'DE', cities: ['Leipzig', 'Münster', 'Freiburg', 'Lübeck'], language: german },
	{ code: 'FR', cities: ['Nantes', 'Lyon', 'Rennes', 'Annecy'], language: french },
	{ code: 'ES', cities: ['Valencia', 'Sevilla', 'Bilbao', 'Málaga'], language: spanish },
	{ code: 'NL', cities: ['Utrecht', 'Haarlem', 'Groningen', 'Breda'], language: dutch },
	{ code: 'AU', cities: ['Hobart', 'Fremantle', 'Geelong', 'Cairns'], language: english },
	{ code: 'CA', cities: ['Halifax', 'Kelowna', 'Guelph', 'Victoria'], language: english },
];
