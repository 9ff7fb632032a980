% Directed graphs: the predicates that SWI-Prolog's library(ugraphs) documents.
%
% A graph is a list of Vertex-Neighbours for each vertex, in the standard order;
% Neighbours is an ordered set of vertices.

:- module(ugraphs, [
    vertices_edges_to_ugraph/3,
    vertices/2,
    edges/2,
    add_vertices/3,
    del_vertices/3,
    add_edges/3,
    del_edges/3,
    neighbours/3,
    neighbors/3,
    transpose_ugraph/2,
    compose/3,
    transitive_closure/2,
    top_sort/2,
    reachable/3,
    ugraph_union/3,
    complement/2,
    connect_ugraph/3
]).

:- use_module(library(lists), [append/3]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(library(error), [must_be/2]).
:- use_module(library(ordsets), [ord_union/3, ord_subtract/3, ord_memberchk/2]).

%% vertices_edges_to_ugraph(+Vertices, +Edges, -Graph)
%
%  Unifies Graph with a graph of Vertices and the vertices and edges of Edges, a list of From-To.
%
%  ?- vertices_edges_to_ugraph([d], [a-b,b-c], Graph).
%  Graph = [a-[b], b-[c], c-[], d-[]].

vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    must_be(list, Vertices),
    must_be(list, Edges),
    ugraphs_ends(Edges, Ends),
    append(Vertices, Ends, All),
    sort(All, VertexSet),
    sort(Edges, EdgeSet),
    ugraphs_group(VertexSet, EdgeSet, Graph).

ugraphs_ends([], []).
ugraphs_ends([From-To|Edges], [From,To|Ends]) :-
    ugraphs_ends(Edges, Ends).

ugraphs_group([], _, []).
ugraphs_group([Vertex|Vertices], Edges, [Vertex-Neighbours|Graph]) :-
    ugraphs_from(Edges, Vertex, Neighbours, Rest),
    ugraphs_group(Vertices, Rest, Graph).

ugraphs_from([From-To|Edges], Vertex, Neighbours, Rest) :-
    From == Vertex,
    !,
    Neighbours = [To|Neighbours1],
    ugraphs_from(Edges, Vertex, Neighbours1, Rest).
ugraphs_from(Rest, _, [], Rest).

%% vertices(+Graph, -Vertices)
%
%  Unifies Vertices with the vertices of Graph.
%
%  ?- vertices([a-[b],b-[]], Vs).
%  Vs = [a, b].

vertices(Graph, Vertices) :-
    pairs_keys(Graph, Vertices).

%% edges(+Graph, -Edges)
%
%  Unifies Edges with the list of From-To in Graph.
%
%  ?- edges([a-[b,c],b-[c],c-[]], Es).
%  Es = [a-b, a-c, b-c].

edges(Graph, Edges) :-
    ugraphs_checked(Graph),
    ugraphs_edges(Graph, Edges).

% Checks the graph, since the predicates below do not terminate for other terms.

ugraphs_checked(Graph) :-
    must_be(list(pair), Graph),
    ugraphs_checked_sets(Graph).

ugraphs_checked_sets([]).
ugraphs_checked_sets([_-Neighbours|Graph]) :-
    must_be(list, Neighbours),
    ugraphs_checked_sets(Graph).

ugraphs_edges([], []).
ugraphs_edges([Vertex-Neighbours|Graph], Edges) :-
    ugraphs_edges(Neighbours, Vertex, Edges, Rest),
    ugraphs_edges(Graph, Rest).

ugraphs_edges([], _, Rest, Rest).
ugraphs_edges([To|Tos], From, [From-To|Edges], Rest) :-
    ugraphs_edges(Tos, From, Edges, Rest).

%% add_vertices(+Graph0, +Vertices, -Graph)
%
%  Adds Vertices to Graph0 and unifies Graph with the result.
%
%  ?- add_vertices([a-[]], [b], Graph).
%  Graph = [a-[], b-[]].

add_vertices(Graph0, Vertices, Graph) :-
    sort(Vertices, Set),
    ugraphs_isolated(Set, Added),
    ugraph_union(Graph0, Added, Graph).

ugraphs_isolated([], []).
ugraphs_isolated([Vertex|Vertices], [Vertex-[]|Graph]) :-
    ugraphs_isolated(Vertices, Graph).

%% del_vertices(+Graph0, +Vertices, -Graph)
%
%  Removes Vertices, and the edges from and to them, from Graph0 and unifies Graph with the result.
%
%  ?- del_vertices([a-[b],b-[a]], [b], Graph).
%  Graph = [a-[]].

del_vertices(Graph0, Vertices, Graph) :-
    ugraphs_checked(Graph0),
    sort(Vertices, Set),
    ugraphs_without(Graph0, Set, Graph).

ugraphs_without([], _, []).
ugraphs_without([Vertex-Neighbours0|Graph0], Set, Graph) :-
    (   ord_memberchk(Vertex, Set)
    ->  ugraphs_without(Graph0, Set, Graph)
    ;   ord_subtract(Neighbours0, Set, Neighbours),
        Graph = [Vertex-Neighbours|Graph1],
        ugraphs_without(Graph0, Set, Graph1)
    ).

%% add_edges(+Graph0, +Edges, -Graph)
%
%  Adds Edges and their vertices to Graph0 and unifies Graph with the result.
%
%  ?- add_edges([a-[]], [a-b,b-c], Graph).
%  Graph = [a-[b], b-[c], c-[]].

add_edges(Graph0, Edges, Graph) :-
    vertices_edges_to_ugraph([], Edges, Added),
    ugraph_union(Graph0, Added, Graph).

%% del_edges(+Graph0, +Edges, -Graph)
%
%  Removes Edges, but not their vertices, from Graph0 and unifies Graph with the result.
%
%  ?- del_edges([a-[b,c],b-[],c-[]], [a-b], Graph).
%  Graph = [a-[c], b-[], c-[]].

del_edges(Graph0, Edges, Graph) :-
    vertices_edges_to_ugraph([], Edges, Removed),
    ugraphs_subtract(Graph0, Removed, Graph).

ugraphs_subtract([], _, []).
ugraphs_subtract([Vertex-Neighbours0|Graph0], Removed, [Vertex-Neighbours|Graph]) :-
    (   neighbours(Vertex, Removed, Tos)
    ->  ord_subtract(Neighbours0, Tos, Neighbours)
    ;   Neighbours = Neighbours0
    ),
    ugraphs_subtract(Graph0, Removed, Graph).

%% ugraph_union(+Graph1, +Graph2, -Graph)
%
%  Unifies Graph with the graph that has the vertices and edges of both graphs.
%
%  ?- ugraph_union([a-[b],b-[]], [b-[c],c-[]], Graph).
%  Graph = [a-[b], b-[c], c-[]].

ugraph_union([], Graph, Graph).
ugraph_union([Vertex-Neighbours|Graph1], Graph2, Graph) :-
    ugraphs_union(Graph2, Vertex, Neighbours, Graph1, Graph).

ugraphs_union([], Vertex, Neighbours, Graph1, [Vertex-Neighbours|Graph1]).
ugraphs_union([Vertex2-Neighbours2|Graph2], Vertex1, Neighbours1, Graph1, Graph) :-
    compare(Order, Vertex1, Vertex2),
    ugraphs_union(Order, Vertex1, Neighbours1, Graph1, Vertex2, Neighbours2, Graph2,
                  Graph).

ugraphs_union(<, Vertex1, Neighbours1, Graph1, Vertex2, Neighbours2, Graph2,
              [Vertex1-Neighbours1|Graph]) :-
    ugraphs_union(Graph1, Vertex2, Neighbours2, Graph2, Graph).
ugraphs_union(=, Vertex, Neighbours1, Graph1, _, Neighbours2, Graph2,
              [Vertex-Neighbours|Graph]) :-
    ord_union(Neighbours1, Neighbours2, Neighbours),
    ugraph_union(Graph1, Graph2, Graph).
ugraphs_union(>, Vertex1, Neighbours1, Graph1, Vertex2, Neighbours2, Graph2,
              [Vertex2-Neighbours2|Graph]) :-
    ugraphs_union(Graph2, Vertex1, Neighbours1, Graph1, Graph).

%% neighbours(+Vertex, +Graph, -Neighbours)
%
%  Unifies Neighbours with the neighbours of Vertex. Fails if Vertex is not in Graph.
%
%  ?- neighbours(a, [a-[b,c],b-[],c-[]], Vs).
%  Vs = [b, c].

neighbours(Vertex, [Vertex1-Neighbours1|Graph], Neighbours) :-
    (   Vertex1 == Vertex
    ->  Neighbours = Neighbours1
    ;   neighbours(Vertex, Graph, Neighbours)
    ).

%% neighbors(+Vertex, +Graph, -Neighbours)
%
%  Another name of neighbours/3.

neighbors(Vertex, Graph, Neighbours) :-
    neighbours(Vertex, Graph, Neighbours).

%% transpose_ugraph(+Graph, -Transposed)
%
%  Unifies Transposed with Graph with its edges reversed.
%
%  ?- transpose_ugraph([a-[b],b-[]], Graph).
%  Graph = [a-[], b-[a]].

transpose_ugraph(Graph, Transposed) :-
    edges(Graph, Edges),
    vertices(Graph, Vertices),
    ugraphs_reversed(Edges, Reversed),
    vertices_edges_to_ugraph(Vertices, Reversed, Transposed).

ugraphs_reversed([], []).
ugraphs_reversed([From-To|Edges], [To-From|Reversed]) :-
    ugraphs_reversed(Edges, Reversed).

%% compose(+Graph1, +Graph2, -Graph)
%
%  Unifies Graph with the composition of the graphs. It has an edge A-C if Graph1 has an edge A-B and Graph2 an
%  edge B-C.
%
%  ?- compose([a-[b],b-[]], [b-[c],c-[]], Graph).
%  Graph = [a-[c], b-[], c-[]].

compose(Graph1, Graph2, Graph) :-
    vertices(Graph1, Vertices1),
    vertices(Graph2, Vertices2),
    ord_union(Vertices1, Vertices2, Vertices),
    ugraphs_compose(Vertices, Graph1, Graph2, Graph).

ugraphs_compose([], _, _, []).
ugraphs_compose([Vertex|Vertices], Graph1, Graph2, [Vertex-Tos|Graph]) :-
    (   neighbours(Vertex, Graph1, Middles)
    ->  ugraphs_neighbours(Middles, Graph2, [], Tos)
    ;   Tos = []
    ),
    ugraphs_compose(Vertices, Graph1, Graph2, Graph).

ugraphs_neighbours([], _, Tos, Tos).
ugraphs_neighbours([Vertex|Vertices], Graph, Tos0, Tos) :-
    (   neighbours(Vertex, Graph, Tos1)
    ->  ord_union(Tos0, Tos1, Tos2)
    ;   Tos2 = Tos0
    ),
    ugraphs_neighbours(Vertices, Graph, Tos2, Tos).

%% transitive_closure(+Graph, -Closure)
%
%  Unifies Closure with a graph that has an edge where Graph has a path of at least one edge.
%
%  ?- transitive_closure([a-[b],b-[c],c-[]], Closure).
%  Closure = [a-[b, c], b-[c], c-[]].

transitive_closure(Graph, Closure) :-
    vertices(Graph, Vertices),
    ugraphs_close(Vertices, Graph, Closure).

ugraphs_close([], Closure, Closure).
ugraphs_close([Vertex|Vertices], Graph0, Closure) :-
    neighbours(Vertex, Graph0, Tos),
    ugraphs_through(Graph0, Vertex, Tos, Graph),
    ugraphs_close(Vertices, Graph, Closure).

ugraphs_through([], _, _, []).
ugraphs_through([From-Tos0|Graph0], Vertex, ThroughTos, [From-Tos|Graph]) :-
    (   ord_memberchk(Vertex, Tos0)
    ->  ord_union(Tos0, ThroughTos, Tos)
    ;   Tos = Tos0
    ),
    ugraphs_through(Graph0, Vertex, ThroughTos, Graph).

%% reachable(+Vertex, +Graph, -Vertices)
%
%  Unifies Vertices with the vertices reachable from Vertex, including Vertex itself.
%
%  ?- reachable(a, [a-[b],b-[c],c-[],d-[a]], Vs).
%  Vs = [a, b, c].

reachable(Vertex, Graph, Vertices) :-
    neighbours(Vertex, Graph, _),
    ugraphs_reach([Vertex], Graph, [Vertex], Vertices).

ugraphs_reach([], _, Reached, Reached).
ugraphs_reach([Vertex|Agenda], Graph, Reached0, Reached) :-
    (   neighbours(Vertex, Graph, Tos)
    ->  ord_subtract(Tos, Reached0, New),
        ord_union(Reached0, New, Reached1),
        append(Agenda, New, Agenda1)
    ;   Reached1 = Reached0,
        Agenda1 = Agenda
    ),
    ugraphs_reach(Agenda1, Graph, Reached1, Reached).

%% top_sort(+Graph, -Sorted)
%
%  Unifies Sorted with the vertices of Graph in topological order: each before the vertices that its edges lead
%  to. Fails if Graph has a cycle.
%
%  ?- top_sort([a-[b,c],b-[],c-[b]], Sorted).
%  Sorted = [a, c, b].
%
%  ?- top_sort([a-[b],b-[a]], Sorted).
%  false.

top_sort(Graph, Sorted) :-
    transpose_ugraph(Graph, Transposed),
    ugraphs_top_sort(Transposed, Sorted).

ugraphs_top_sort([], Sorted) :-
    !,
    Sorted = [].
ugraphs_top_sort(Incoming, Sorted) :-
    ugraphs_first(Incoming, Firsts),
    Firsts = [_|_],
    del_vertices(Incoming, Firsts, Incoming1),
    append(Firsts, Sorted1, Sorted),
    ugraphs_top_sort(Incoming1, Sorted1).

ugraphs_first([], []).
ugraphs_first([Vertex-From|Incoming], Firsts) :-
    (   From == []
    ->  Firsts = [Vertex|Firsts1]
    ;   Firsts = Firsts1
    ),
    ugraphs_first(Incoming, Firsts1).

%% complement(+Graph, -Complement)
%
%  Unifies Complement with a graph that has the vertices of Graph. It has an edge between two different vertices
%  where Graph has none.
%
%  ?- complement([a-[b],b-[]], Graph).
%  Graph = [a-[], b-[a]].

complement(Graph, Complement) :-
    vertices(Graph, Vertices),
    ugraphs_complement(Graph, Vertices, Complement).

ugraphs_complement([], _, []).
ugraphs_complement([Vertex-Tos0|Graph], Vertices, [Vertex-Tos|Complement]) :-
    ord_union([Vertex], Tos0, Without),
    ord_subtract(Vertices, Without, Tos),
    ugraphs_complement(Graph, Vertices, Complement).

%% connect_ugraph(+Graph, -Start, -Connected)
%
%  Unifies Connected with Graph extended by a vertex Start. Start precedes all other vertices in the standard
%  order and has an edge to each of them. If Graph is empty, Connected is empty and Start is 0.
%
%  ?- connect_ugraph([a-[b],b-[],c-[]], Start, Connected).
%  Start = 0,
%  Connected = [0-[a, b, c], a-[b], b-[], c-[]].

connect_ugraph([], Start, Connected) :-
    !,
    Start = 0,
    Connected = [].
connect_ugraph(Graph, Start, [Start-Vertices|Graph]) :-
    vertices(Graph, Vertices),
    Vertices = [First|_],
    (   var(First)
    ->  throw(error(instantiation_error, _))
    ;   number(First)
    ->  Start is floor(First) - 1
    ;   Start = 0
    ).
