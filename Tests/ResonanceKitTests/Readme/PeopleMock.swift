/// The unchanged mock from the library's README, including its trailing comma.
let peopleMock = """
    [{
        "request": {},
        "status": 200,
        "method": "GET",
        "response": {
            "count": 82,
            "next": "http://swapi.dev/api/people/?page=2",
            "previous": null,
            "results": [
                {
                    "birth_year": "19BBY",
                    "created": "2014-12-09T13:50:51.644000Z",
                    "edited": "2014-12-20T21:17:56.891000Z",
                    "eye_color": "blue",
                    "films": [
                        "http://swapi.dev/api/films/1/",
                        "http://swapi.dev/api/films/2/",
                        "http://swapi.dev/api/films/3/",
                        "http://swapi.dev/api/films/6/"
                    ],
                    "gender": "male",
                    "hair_color": "blond",
                    "height": "172",
                    "homeworld": "http://swapi.dev/api/planets/1/",
                    "mass": "77",
                    "name": "Luke Skywalker",
                    "skin_color": "fair",
                    "species": [],
                    "starships": [
                        "http://swapi.dev/api/starships/12/",
                        "http://swapi.dev/api/starships/22/"
                    ],
                    "url": "http://swapi.dev/api/people/1/",
                    "vehicles": [
                        "http://swapi.dev/api/vehicles/14/",
                        "http://swapi.dev/api/vehicles/30/"
                    ]
                },
                {
                    "birth_year": "112BBY",
                    "created": "2014-12-10T15:10:51.357000Z",
                    "edited": "2014-12-20T21:17:50.309000Z",
                    "eye_color": "yellow",
                    "films": [
                        "http://swapi.dev/api/films/1/",
                        "http://swapi.dev/api/films/2/",
                        "http://swapi.dev/api/films/3/",
                        "http://swapi.dev/api/films/4/",
                        "http://swapi.dev/api/films/5/",
                        "http://swapi.dev/api/films/6/"
                    ],
                    "gender": "n/a",
                    "hair_color": "n/a",
                    "height": "167",
                    "homeworld": "http://swapi.dev/api/planets/1/",
                    "mass": "75",
                    "name": "C-3PO",
                    "skin_color": "gold",
                    "species": [
                        "http://swapi.dev/api/species/2/"
                    ],
                    "starships": [],
                    "url": "http://swapi.dev/api/people/2/",
                    "vehicles": []
                },

            ]
        }
    }
    ]
    """
